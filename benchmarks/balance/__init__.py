"""Whether battles without players come out as battles at a table do: thousands of them between drawn armies.

=================  =====================================================================
file               what it holds
=================  =====================================================================
``lists.py``       armies drawn from the army lists that come with the program
``generators.py``  armies of nobody's list
``contests.py``    which battles are fought, and how they came out
``paper.py``       the figures as tables, and in their place in ``docs/balance.md``
=================  =====================================================================
"""
