"""Nippon, the map campaign: a rule system. Its book is ``rulebook.md``, whose
tables ``rulebook.py`` makes from the numbers; each chapter of the book has its file.

=========  =====================================================================================
chapter    file
=========  =====================================================================================
1          ``atlas.py``, ``state/``
2          ``setup.py``, ``entering.py``, ``beginning.py``, ``maps/``, ``armies/``, ``equipment.py``
3          ``naming.py``, ``composition.py``, ``banners.py``, ``regrouping.py``
4          ``orders/``, ``legality.py``; the order of a turn: ``phases.py``
5          ``terrain.py``
6          ``paths.py``, ``journeys.py``, ``movement.py``, ``night.py``, ``control.py``
7          ``razing.py``
8          ``meetings.py``, ``engagements.py``, ``parley.py``, ``fighting.py``, ``corps.py``, ``results.py``,
           ``disputes.py``; ``assaults.py``, ``lairs.py``, ``garrisons.py``; ``tabletop.py``, ``defence.py``
9          ``aftermath.py``, ``losses.py``, ``scattered.py``, ``spoils.py``, ``healing.py``, ``rallying.py``
10         ``production.py``
11         ``spending.py``, ``sites.py``, ``recruiting.py``, ``ships/``, ``merchants.py``
12         ``marches.py``, ``underground.py``, ``raising.py``
13         ``headquarters.py``, ``withdrawal.py``
14         ``items/``, ``handling.py``, ``portals.py``
15         ``seasons.py``, ``switches.py``; ``ending.py``, ``honours.py``
17         ``view.py``, ``fog.py``
18         ``phases.py``, ``preferences.py``
=========  =====================================================================================

``events/`` holds all that can happen, ``tables/`` the numbers, by chapter. What players write is read and checked in
``cards/``, what waits for them is in ``agenda.py``; what they get to see is made by ``briefing/``, ``picture.py`` and
``drawing/``. ``robot/`` plays a seat, ``cases/`` plays the rule cases. ``whatif/`` tells a player the odds of his card.
"""

from typing import get_args

from pbem.core.codec import Codec
from pbem.core.ruleset import Ruleset
from pbem.rulesets.nippon import (
    armies,
    briefing,
    cases,
    ending,
    entering,
    events,
    orders,
    phases,
    picture,
    robot,
    rulebook,
    setup,
    state,
    view,
    whatif,
    withdrawal,
)
from pbem.rulesets.nippon.armies.rosters import ready, transcript
from pbem.rulesets.nippon.briefing import story
from pbem.rulesets.nippon.cards import checking, disputes, form, plan, primer, reading, wishes

NIPPON = Ruleset(
    name="nippon",
    title="Nippon",
    rulebook=rulebook.book(),
    codec=Codec(state.State, view.View, *events.EVENTS, *get_args(orders.Order), *get_args(orders.ByHand)),
    setup=setup.setup,
    stage=phases.stage,
    view=view.view,
    read=reading.read,
    check=checking.check,
    expecting=plan.expecting,
    standing=wishes.standing_wishes,
    phases=phases.phases,
    acts=phases.ACTS,
    briefing=briefing.briefing,
    picture=picture.picture,
    robot=robot.robot,
    outcome=ending.outcome,
    play_case=cases.play_case,
    form=form.form,
    answers=form.answers,
    facts=briefing.battle_facts,
    stories=story.stories,
    primer=primer.primer,
    forecast=whatif.forecast,
    length=ending.length,
    part=setup.part,
    withdraw=withdrawal.withdraw,
    readmit=withdrawal.readmit,
    disputes=disputes.disputes,
    ruling=disputes.ruling,
    sealed=True,
    files=dict.fromkeys((".ros", ".rosz", ".csv"), transcript.transcribed),
    flaws=lambda: ready.all_flaws(armies.library()),
    seats=entering.seats,
    admission=entering.ADMISSION,
    kinds={"set-up": "after 7d", "orders": "after 7d", "meetings": "after 7d", "disputes": "after 2d"},
)
