"""Reads [{zone, start, rule}] as JSON, writes for each rule the instants (epoch seconds) of its first
dates, and whether there are no more.

dateutil computes wall clock times; the time zone data of the system turns them into instants as RFC 5545, 3.3.5, wants
it: of two times the first, in a gap by the offset before it. This is where dateutil itself differs. Of a rule without
dates it looks for one up to the year 9999: after half a second of computing the rule is given up, as null.
"""

import itertools
import json
import re
import signal
import sys
import warnings
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

warnings.simplefilter("ignore")
limit = int(sys.argv[1])


def instants(one):
    zone = ZoneInfo(one["zone"])

    def instant(date):
        return int(date.replace(tzinfo=zone, fold=0).astimezone(timezone.utc).timestamp())

    try:
        dates = rrulestr(one["rule"], dtstart=datetime.fromisoformat(one["start"]))
        # Times in a gap move behind others: more are taken than are wanted.
        found = [instant(date) for date in itertools.islice(dates, 3 * limit)]
    except ValueError:
        # No multiple of the interval matches.
        return {"instants": [], "ends": True}
    until = re.search(r"UNTIL=(\w+)", one["rule"])
    end = instant(datetime.strptime(until[1], "%Y%m%dT%H%M%S")) if until else float("inf")
    unique = sorted({date for date in found if date <= end})
    return {"instants": unique[:limit], "ends": len(found) < 3 * limit and len(unique) <= limit}


def give_up(*_):
    raise TimeoutError


def within_time(one):
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)
    try:
        return instants(one)
    except TimeoutError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


signal.signal(signal.SIGVTALRM, give_up)
json.dump([within_time(one) for one in json.load(sys.stdin)], sys.stdout)
