"""From events and views to reports and letters: text, HTML and JSON. Knows no rules."""
