// The value of a metric on a day by the person's settings, with the device it came from and those that added to it.
import { deviceValue, type Said } from './device-value.ts';
import { mergeDay, type Share, type Sum, sumOf } from './merge-day.ts';
import { believed, type Device, methodFor } from './person.ts';
import { compare, divide, isPositive, isZero, larger, ratio, zero } from './rational.ts';
import { type Group, groupOf, isMerged } from './rules.ts';
import type { View } from './view.ts';

export interface DayValue extends Omit<Sum, 'shares'> {
  source: Share;
  /** Null when the value was not made from several devices: added up, or what was averaged. */
  contributors: Share[] | null;
  /** More, or fewer, may contribute when coarseness moves the shares. */
  mayContribute: Share[];
  /** Another device may be named when coarseness moves the shares. */
  anyOf: Share[];
}

export function dayValue(view: View, metric: string, date: string): DayValue | null {
  const devices = believed(view.person, metric);
  const group = groupOf(metric);
  if (group) return groupValue(view, devices, group, metric, date);
  const method = methodFor(view.person, metric);
  if (method === 'merge') return summed(mergeDay(view, devices, metric, date), devices);
  if (method === 'priority') return single(firstWith(view, devices, metric, date));
  const sums = providersOf(devices).flatMap((own) => {
    if (isMerged(metric)) return mergeDay(view, own, metric, date) ?? [];
    const share = firstWith(view, own, metric, date);
    return share ? sumOf([share]) : [];
  });
  if (method === 'sum') return sums.length === 0 ? null : summed(sumOf(sums.flatMap(({ shares }) => shares)), devices);
  if (method === 'max') return summed(largestOf(sums, devices), devices, sums);
  const mean = averaged(sums, devices, isMerged(metric));
  const asSaid = (share: Share): Share => firstWith(view, [share.device], metric, date) ?? share;
  // A mean is nobody's share: its source is told with what that device says of the whole day.
  return mean && { ...mean, source: asSaid(mean.source), anyOf: mean.anyOf.map(asSaid) };
}

/** One device supplies every member; the lead decides which. */
function groupValue(view: View, devices: Device[], group: Group, metric: string, date: string): DayValue | null {
  const has = (device: Device, member: string): boolean => deviceValue(view, device, member, date) !== null;
  const chosen = (among: readonly Device[]): Device[] => {
    const found =
      among.find((device) => has(device, group.lead)) ??
      among.find((device) => group.members.some((member) => has(device, member)));
    return found ? [found] : [];
  };
  const method = methodFor(view.person, metric);
  if (method === 'priority') return single(firstWith(view, chosen(devices), metric, date));
  const perProvider = providersOf(devices).flatMap(chosen);
  if (method === 'avg')
    return averaged(
      perProvider.flatMap((device) => {
        const share = firstWith(view, [device], metric, date);
        return share ? [sumOf([share])] : [];
      }),
      devices,
    );
  const leads = perProvider.flatMap((device) => firstWith(view, [device], group.lead, date) ?? []);
  const winner = largestOf(
    leads.map((lead) => sumOf([lead])),
    devices,
  )?.shares[0]?.device;
  return single(firstWith(view, winner ? [winner] : chosen(devices), metric, date));
}

/** Providers in the order of their most believed devices. */
function providersOf(devices: readonly Device[]): Device[][] {
  return [...Map.groupBy(devices, ({ provider }) => provider).values()];
}

function firstWith(view: View, devices: readonly Device[], metric: string, date: string): Share | null {
  for (const device of devices) {
    const said = deviceValue(view, device, metric, date);
    if (said) return shareBy(device, said);
  }
  return null;
}

const shareBy = (device: Device, said: Said): Share => ({
  device,
  ...said,
  tolerance: zero,
  originalTolerance: zero,
});

const single = (share: Share | null): DayValue | null =>
  share && {
    value: share.value,
    tolerance: zero,
    source: share,
    contributors: null,
    mayContribute: [],
    anyOf: [share],
  };

/** The largest value; of equal ones that of the provider with the most believed device. */
function largestOf(sums: readonly Sum[], devices: readonly Device[]): Sum | null {
  const place = ({ shares }: Sum): number => Math.min(...shares.map(({ device }) => devices.indexOf(device)));
  return sums.toSorted((a, b) => compare(b.value, a.value) || place(a) - place(b))[0] ?? null;
}

function summed(winner: Sum | null, devices: readonly Device[], rivals: readonly Sum[] = []): DayValue | null {
  if (!winner) return null;
  const shares = byBelief(winner.shares, devices);
  const tolerance = rivals.reduce((most, rival) => larger(most, rival.tolerance), winner.tolerance);
  const [first, ...others] = shares;
  if (!first) return null;
  const source = largestShare(others, first);
  const positive = shares.filter(({ value }) => isPositive(value));
  const everybody = [...shares, ...rivals.flatMap((rival) => rival.shares)];
  return {
    value: winner.value,
    tolerance,
    source,
    contributors: positive.length > 1 ? positive : null,
    mayContribute: everybody,
    anyOf: isZero(tolerance) ? [source] : everybody,
  };
}

/** Of devices that were merged the largest share names the source, else the most believed does. */
function averaged(sums: readonly Sum[], devices: readonly Device[], byShare = false): DayValue | null {
  const all = sumOf(
    byBelief(
      sums.flatMap(({ shares }) => shares),
      devices,
    ),
  );
  const given = byBelief(sums.flatMap(contributing), devices);
  const [first] = given;
  if (!first) return null;
  const source = byShare ? largestShare(given, first) : first;
  const count = ratio(sums.length);
  return {
    value: divide(all.value, count),
    tolerance: divide(all.tolerance, count),
    source,
    contributors: given.length > 1 ? given : null,
    mayContribute: all.shares,
    anyOf: isZero(all.tolerance) ? [source] : all.shares,
  };
}

/** A device whose samples are all covered by better ones adds nothing, unless nobody does. */
function contributing({ shares }: Sum): Share[] {
  const positive = shares.filter(({ value }) => isPositive(value));
  return positive.length > 0 ? positive : shares.slice(0, 1);
}

const byBelief = (shares: readonly Share[], devices: readonly Device[]): Share[] =>
  shares.toSorted((a, b) => devices.indexOf(a.device) - devices.indexOf(b.device));

/** Of equal ones the more believed. */
const largestShare = (shares: readonly Share[], first: Share): Share =>
  shares.reduce((best, share) => (compare(share.value, best.value) > 0 ? share : best), first);
