"""From the bytes of a mail to a letter and the card in it."""
