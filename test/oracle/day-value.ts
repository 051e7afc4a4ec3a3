// The value of a metric on a day according to the user's settings, with its source device and
// contributors.
import { deviceValue, type ReportedValue } from './device-value.ts';
import { mergeDay, type Share, type Sum, sumOf } from './merge-day.ts';
import { metricOf } from './metric-table.ts';
import { type Device, enabledDevices, methodFor } from './model-user.ts';
import { compare, divide, isPositive, isZero, maxOf, ratio, sum, zero } from './rational.ts';
import { type Group, groupOf, isMerged } from './rules.ts';
import type { View } from './view.ts';

export interface DayValue extends Omit<Sum, 'shares'> {
  source: Share;
  /** Null unless the value combines several devices, as a sum or an average. */
  contributors: Share[] | null;
  /** Coarse merging may change the shares, so more or fewer devices may contribute. */
  possibleContributors: Share[];
  /** Coarse merging may change the shares, so another device may be the source. */
  possibleSources: Share[];
}

export function dayValue(view: View, metric: string, date: string): DayValue | null {
  const devices = enabledDevices(view.user, metric);
  const group = groupOf(metric);
  if (group?.isBound) return groupValue(view, devices, group, metric, date);
  if (group)
    return metric === 'restorative_sleep'
      ? restorativeValue(view, devices, date)
      : nightValue(view, devices, metric, date);
  const method = methodFor(view.user, metric);
  if (method === 'merge') return sumDevices(mergeDay(view, devices, metric, date), devices);
  if (method === 'priority') return singleSource(firstShare(view, devices, metric, date));
  const sums = groupByProvider(devices).flatMap((own) => {
    if (isMerged(metric)) return mergeDay(view, own, metric, date) ?? [];
    const share = firstShare(view, own, metric, date);
    return share ? sumOf([share]) : [];
  });
  if (method === 'sum')
    return sums.length === 0 ? null : sumDevices(sumOf(sums.flatMap(({ shares }) => shares)), devices);
  if (method === 'max') return sumDevices(largestOf(sums, devices), devices, sums);
  const mean = averageDevices(sums, devices, isMerged(metric));
  const asReported = (share: Share): Share => firstShare(view, [share.device], metric, date) ?? share;
  // An average is not the share of any device, so its source is shown with that device's value for
  // the whole day.
  return mean && { ...mean, source: asReported(mean.source), possibleSources: mean.possibleSources.map(asReported) };
}

/** The devices, with the first one that tells the time asleep ahead of the others. */
function nightFirst(view: View, devices: readonly Device[], date: string): Device[] {
  const night = devices.find((device) => deviceValue(view, device, 'asleep', date) !== null);
  return night ? [night, ...devices.filter((device) => device !== night)] : [...devices];
}

/** What counts of one metric of a night: one share, or one per provider for an average. */
function nightShares(view: View, devices: readonly Device[], metric: string, date: string): Share[] {
  const method = methodFor(view.user, metric);
  if (metric === 'longest_sleep') {
    const sleepers = nightShares(view, devices, 'asleep', date).map(({ device }) => device);
    if (sleepers.length > 0) return sleepers.flatMap((device) => firstShare(view, [device], metric, date) ?? []);
  }
  const lines = method === 'priority' ? [devices] : groupByProvider(devices);
  const shares = lines.flatMap((line) => firstShare(view, nightFirst(view, line, date), metric, date) ?? []);
  const ranked = sortByRank(shares, devices);
  const [first] = ranked;
  return method === 'max' && first ? [largestShare(ranked, first)] : ranked;
}

function nightValue(view: View, devices: readonly Device[], metric: string, date: string): DayValue | null {
  const shares = nightShares(view, devices, metric, date);
  if (methodFor(view.user, metric) !== 'avg') return singleSource(shares[0] ?? null);
  return averageDevices(
    shares.map((share) => sumOf([share])),
    devices,
  );
}

/** Deep and REM sleep of the day, each from its own device, if the day has both. */
function restorativeValue(view: View, devices: readonly Device[], date: string): DayValue | null {
  const stages = ['deep_sleep', 'rem_sleep'].map((stage) => nightShares(view, devices, stage, date));
  if (stages.some((shares) => shares.length === 0)) return nightValue(view, devices, 'restorative_sleep', date);
  const parts = stages.flatMap((shares) =>
    shares.map(({ device, value }) => ({ device, value: divide(value, ratio(shares.length)) })),
  );
  const perDevice = devices.flatMap((device): Share[] => {
    const own = parts.filter((part) => part.device === device);
    const value = sum(own.map((part) => part.value));
    const reported = { value, original: value, unit: metricOf('restorative_sleep').unit, mayMixUnits: false };
    return own.length === 0 ? [] : [toShare(device, reported)];
  });
  return sumDevices(sumOf(perDevice), devices);
}

/** One device supplies every member of the group. The lead metric determines which. */
function groupValue(view: View, devices: Device[], group: Group, metric: string, date: string): DayValue | null {
  const has = (device: Device, member: string): boolean => deviceValue(view, device, member, date) !== null;
  const chosen = (among: readonly Device[]): Device[] => {
    const found =
      among.find((device) => has(device, group.lead)) ??
      among.find((device) => group.members.some((member) => has(device, member)));
    return found ? [found] : [];
  };
  const method = methodFor(view.user, metric);
  if (method === 'priority') return singleSource(firstShare(view, chosen(devices), metric, date));
  const perProvider = groupByProvider(devices).flatMap(chosen);
  if (method === 'avg')
    return averageDevices(
      perProvider.flatMap((device) => {
        const share = firstShare(view, [device], metric, date);
        return share ? [sumOf([share])] : [];
      }),
      devices,
    );
  const leads = perProvider.flatMap((device) => firstShare(view, [device], group.lead, date) ?? []);
  const winner = largestOf(
    leads.map((lead) => sumOf([lead])),
    devices,
  )?.shares[0]?.device;
  return singleSource(firstShare(view, winner ? [winner] : chosen(devices), metric, date));
}

/** Providers ordered by their highest-ranked device. */
function groupByProvider(devices: readonly Device[]): Device[][] {
  return [...Map.groupBy(devices, ({ provider }) => provider).values()];
}

function firstShare(view: View, devices: readonly Device[], metric: string, date: string): Share | null {
  for (const device of devices) {
    const reported = deviceValue(view, device, metric, date);
    if (reported) return toShare(device, reported);
  }
  return null;
}

const toShare = (device: Device, reported: ReportedValue): Share => ({
  device,
  ...reported,
  tolerance: zero,
  originalTolerance: zero,
});

const singleSource = (share: Share | null): DayValue | null =>
  share && {
    value: share.value,
    tolerance: zero,
    source: share,
    contributors: null,
    possibleContributors: [],
    possibleSources: [share],
  };

/**
 * The largest value. If several are equal, the one of the provider with the highest-ranked device.
 */
function largestOf(sums: readonly Sum[], devices: readonly Device[]): Sum | null {
  const rank = ({ shares }: Sum): number => Math.min(...shares.map(({ device }) => devices.indexOf(device)));
  return sums.toSorted((a, b) => compare(b.value, a.value) || rank(a) - rank(b))[0] ?? null;
}

function sumDevices(winner: Sum | null, devices: readonly Device[], rivals: readonly Sum[] = []): DayValue | null {
  if (!winner) return null;
  const shares = sortByRank(winner.shares, devices);
  const tolerance = rivals.reduce((max, rival) => maxOf(max, rival.tolerance), winner.tolerance);
  const [first, ...others] = shares;
  if (!first) return null;
  const source = largestShare(others, first);
  const positive = shares.filter(({ value }) => isPositive(value));
  const allShares = [...shares, ...rivals.flatMap((rival) => rival.shares)];
  return {
    value: winner.value,
    tolerance,
    source,
    contributors: positive.length > 1 ? positive : null,
    possibleContributors: allShares,
    possibleSources: isZero(tolerance) ? [source] : allShares,
  };
}

/**
 * For merged devices, the one with the largest share is the source, otherwise the highest-ranked
 * one.
 */
function averageDevices(sums: readonly Sum[], devices: readonly Device[], byShare = false): DayValue | null {
  const all = sumOf(
    sortByRank(
      sums.flatMap(({ shares }) => shares),
      devices,
    ),
  );
  const contributing = sortByRank(sums.flatMap(contributingShares), devices);
  const [first] = contributing;
  if (!first) return null;
  const source = byShare ? largestShare(contributing, first) : first;
  const count = ratio(sums.length);
  return {
    value: divide(all.value, count),
    tolerance: divide(all.tolerance, count),
    source,
    contributors: contributing.length > 1 ? contributing : null,
    possibleContributors: all.shares,
    possibleSources: isZero(all.tolerance) ? [source] : all.shares,
  };
}

/**
 * A device whose samples are all covered by higher-ranked ones does not contribute, unless no
 * device does.
 */
function contributingShares({ shares }: Sum): Share[] {
  const positive = shares.filter(({ value }) => isPositive(value));
  return positive.length > 0 ? positive : shares.slice(0, 1);
}

const sortByRank = (shares: readonly Share[], devices: readonly Device[]): Share[] =>
  shares.toSorted((a, b) => devices.indexOf(a.device) - devices.indexOf(b.device));

/** If several are equal, the higher-ranked one. */
const largestShare = (shares: readonly Share[], first: Share): Share =>
  shares.reduce((best, share) => (compare(share.value, best.value) > 0 ? share : best), first);
