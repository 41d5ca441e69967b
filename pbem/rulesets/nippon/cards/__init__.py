"""Order cards: what players write is read by ``reading``, judged by ``checking``, printed ready to send by ``form``,
taught by ``primer``."""
