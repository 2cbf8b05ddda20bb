"""All mutations."""

from tests.mutations import certificate, guard, intervals, resume, silence

MUTATIONS = (
    *guard.MUTATIONS,
    *silence.MUTATIONS,
    *resume.MUTATIONS,
    *certificate.MUTATIONS,
    *intervals.MUTATIONS,
)
