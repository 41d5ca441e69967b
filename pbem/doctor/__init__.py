"""``pbem doctor``: looks at everything that has to be right for mail to come in, turns to be closed and reports to go
out, and says of each thing how it is and what to do about it.

It changes nothing: a database is not brought up to date, a folder not made. It sends two test letters to the server's
own address, and one to a person if that is asked for.
"""

from pbem.doctor.examination import Patient, areas
from pbem.doctor.finding import Finding, run

__all__ = ["Finding", "Patient", "areas", "run"]
