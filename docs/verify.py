"""Check the dice of a mailed report with Python alone: python3 verify.py MAIL [MAIL-BEFORE], both saved as files."""

import email.policy
import hashlib
import hmac
import re
import sys


def proof(name):
    with open(name, "rb") as file:
        text = email.message_from_binary_file(file, policy=email.policy.default).get_body(["plain"]).get_content()
    text = re.sub(r"(?m)^[> \t]+|\r", "", text).split("BEGIN PROOF\n")[1].split("END PROOF")[0].replace("\\\n", "")
    lines = [line.rstrip().split(None, 1) for line in text.splitlines() if line.strip()]
    return {key: [rest for word, rest in lines if word == key] for key, _ in lines}


def die(seed, label, sides, count=0):
    digest = hmac.digest(seed, f"{label}\n{count}".encode(), "sha256")
    number = int.from_bytes(digest[:8], "big")
    return number % sides + 1 if number < 2**64 // sides * sides else die(seed, label, sides, count + 1)


now = proof(sys.argv[1])
secret = bytes.fromhex(now.get("secret", [""])[0])
letters = hashlib.sha256("\n".join(sorted(now.get("letter", []))).encode()).digest()
seeds = {"die": hmac.digest(secret, letters, "sha256"), "sealed": bytes.fromhex(now.get("seed", [""])[0])}
promised = now.get("hash", [hashlib.sha256().hexdigest()])
wrong = [] if promised == [hashlib.sha256(secret).hexdigest()] else ["the secret is not the one that was promised"]
if sys.argv[2:] and proof(sys.argv[2])["next"] != promised:
    wrong.append("the mail before promised another secret")
for kind, seed in seeds.items():
    for label, sides, shown in (re.fullmatch(r"(.+) d(\d+) = (\d+)", line).groups() for line in now.get(kind, [])):
        if die(seed, label, int(sides)) != int(shown):
            wrong.append(f"{kind} {label} shows {shown}, but it should show {die(seed, label, int(sides))}")
print("\n".join(wrong) or "all dice are right")
sys.exit(bool(wrong))
