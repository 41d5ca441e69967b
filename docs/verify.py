"""Check the dice of a mailed report with Python alone: python3 verify.py MAIL [MAIL-BEFORE], both saved as files."""

import email.policy
import hashlib
import hmac
import re
import sys


def proof(name):
    with open(name, "rb") as file:
        body = email.message_from_binary_file(file, policy=email.policy.default).get_body(["plain"])
    text = re.sub(r"(?m)^[> \t]+|\r", "", body.get_content() if body is not None else "")
    found = re.search(r"BEGIN PROOF\n(.*?)END PROOF", text, re.DOTALL)
    if not found:
        sys.exit(f"{name}: no proof stands here; save the whole mail of a report")
    return [line.strip().split(None, 1) for line in found[1].replace("\\\n", "").splitlines() if line.strip()]


def row(seed, label, sides, count):
    return "".join(str(die(seed, f"{label} #{number}", sides)) for number in range(1, count + 1))


def die(seed, label, sides, count=0):
    number = int.from_bytes(hmac.digest(seed, f"{label}\n{count}".encode(), "sha256")[:8], "big")
    return number % sides + 1 if number < 2**64 // sides * sides else die(seed, label, sides, count + 1)


lines = proof(sys.argv[1])
now = {"secret": "", "hash": hashlib.sha256().hexdigest(), "seed": ""} | dict(lines)
secret = bytes.fromhex(now["secret"])
letters = "\n".join(sorted(text for word, text in lines if word == "letter")).encode()
seeds = {"die": hmac.digest(secret, hashlib.sha256(letters).digest(), "sha256"), "sealed": bytes.fromhex(now["seed"])}
wrong = [] if hashlib.sha256(secret).hexdigest() == now["hash"] else ["the secret is not the one that was promised"]
if sys.argv[2:] and dict(proof(sys.argv[2]))["next"] != now["hash"]:
    wrong.append("the mail before promised another secret")
for word, text in lines:
    if word in seeds:
        label, many, sides, shown = re.fullmatch(r"(.+) (\d*)d(\d+) = (\d+)", text).groups()
        right = row(seeds[word], label, int(sides), int(many)) if many else die(seeds[word], label, int(sides))
        if str(right) != shown:
            wrong.append(f"{word} {text}, but it should be {right}")
print("\n".join(wrong) or "all dice are right")
sys.exit(bool(wrong))
