"""What every game shares: orders, stages, events, dice, reports. No input or output, no clock, no global chance."""
