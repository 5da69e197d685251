"""Lowest and highest rates of a load profile, from which hints are computed."""

from planner.plan.model.traffic import (
    ClipLoad,
    ConstantLoad,
    DiurnalLoad,
    LoadProfile,
    PointsLoad,
    RampLoad,
    ScaleLoad,
    SineLoad,
    SpikeLoad,
    StepLoad,
    SumLoad,
    TraceLoad,
)


def lowest_and_highest(profile: LoadProfile) -> tuple[float, float]:
    """Lowest and highest requests per second; of sums the sums of both, whether they meet or not."""
    match profile:
        case ConstantLoad():
            return profile.rate, profile.rate
        case StepLoad() | RampLoad():
            return min(profile.from_rate, profile.to_rate), max(profile.from_rate, profile.to_rate)
        case SineLoad():
            return max(0.0, profile.mean - profile.amplitude), profile.mean + profile.amplitude
        case DiurnalLoad():
            factors = profile.weekday_factors or (1.0, profile.weekend_factor)
            factors += () if profile.holiday_factor is None else (profile.holiday_factor,)
            low, high = max(0.0, profile.mean - profile.amplitude), profile.mean + profile.amplitude
            return low * min(factors), high * max(factors)
        case SpikeLoad():
            return min(profile.base, profile.peak), max(profile.base, profile.peak)
        case PointsLoad():
            rates = [point.rate for point in profile.points]
            return min(rates), max(rates)
        case TraceLoad():
            rates = [point.rate * profile.scale for point in profile.points]
            return min(rates), max(rates)
        case SumLoad():
            parts = [lowest_and_highest(part) for part in profile.profiles]
            return sum(low for low, _ in parts), sum(high for _, high in parts)
        case ScaleLoad():
            low, high = lowest_and_highest(profile.profile)
            return low * profile.factor, high * profile.factor
        case ClipLoad():
            low, high = lowest_and_highest(profile.profile)
            return min(max(low, profile.min), profile.max), min(max(high, profile.min), profile.max)


def jump(profile: LoadProfile) -> tuple[float, float] | None:
    """Rate before and after a sudden rise (within a minute); None where the load only drifts."""
    match profile:
        case StepLoad() if profile.to_rate > profile.from_rate:
            return profile.from_rate, profile.to_rate
        case RampLoad() if profile.to_rate > profile.from_rate and profile.duration <= 60_000_000:
            return profile.from_rate, profile.to_rate
        case SpikeLoad() if profile.peak > profile.base and profile.rise <= 60_000_000:
            return profile.base, profile.peak
        case ScaleLoad():
            inner = jump(profile.profile)
            return None if inner is None else (inner[0] * profile.factor, inner[1] * profile.factor)
        case SumLoad():
            jumps = [(jump(part), lowest_and_highest(part)[0]) for part in profile.profiles]
            if not any(found for found, _ in jumps):
                return None
            before = sum(low if found is None else found[0] for found, low in jumps)
            return before, sum(low if found is None else found[1] for found, low in jumps)
        case _:
            return None
