// A user in the model: devices with their records by natural key, and the settings. Events change
// it in order.
import type { Calendar, DayRule } from './days.ts';
import { metricOf } from './metric-table.ts';
import {
  type Night,
  parseNight,
  parseSample,
  parseTotal,
  parseWorkout,
  type Sample,
  sampleKey,
  type TimedRecord,
  type Total,
  totalKey,
  type Workout,
} from './records.ts';
import { type DeviceType, defaultMethod, type Method, rankOf, settingsKey } from './rules.ts';
import type { Provider, WirePatch, WireProfile, WireUpload } from './scenario.ts';

export interface Device {
  provider: Provider;
  model: string;
  type: DeviceType;
  /** Assigned by the service; '' until it is known. */
  id: string;
  connectedAt: number;
  samples: Map<string, Sample>;
  totals: Map<string, Total>;
  nights: Map<number, Night>;
  workouts: Map<number, Workout>;
}
/** Who set the profile's time zone. */
export type ZoneSource = 'caller' | 'device';
export interface ModelUser extends Calendar {
  timezoneSource: ZoneSource | null;
  devices: Device[];
  methods: Map<string, Method>;
  disabledProviders: Set<string>;
  /** `key provider` */
  disabledForKey: Set<string>;
  uploads: number;
}

export const newModelUser = (timezone: string | null, dayRule: DayRule = 'profile'): ModelUser => ({
  ...zoneNamedBy('caller', timezone),
  dayRule,
  devices: [],
  methods: new Map(),
  disabledProviders: new Set(),
  disabledForKey: new Set(),
  uploads: 0,
});

export const findDevice = (user: ModelUser, provider: Provider, model: string): Device | undefined =>
  user.devices.find((device) => device.provider === provider && device.model === model);

export function applyUpload(user: ModelUser, provider: Provider, body: WireUpload): Device {
  const device = findDevice(user, provider, body.device.model) ?? newDevice(user, provider, body);
  device.type = body.device.type;
  user.uploads += 1;
  // Set once, and never over one that a caller set.
  if (user.timezone === null) Object.assign(user, zoneNamedBy('device', body.time_zone));
  const { samples = [], daily = [], sleep = [], workouts = [] } = body;
  for (const wire of samples) {
    const sample = parseSample(wire);
    replace(device.samples, sampleKey(sample), sample);
  }
  for (const wire of daily) device.totals.set(totalKey(wire.metric, wire.date), parseTotal(wire));
  const nights = sleep.map((wire) => parseNight(wire, user.uploads));
  for (const night of lastOfEach(nights)) replace(device.nights, night.start, night);
  const exercises = workouts.map((wire) => parseWorkout(wire, user.uploads));
  for (const workout of lastOfEach(exercises)) replace(device.workouts, workout.start, workout);
  return device;
}

export function applyProfile(user: ModelUser, { timezone, day_rule }: WireProfile): void {
  if (timezone !== undefined) Object.assign(user, zoneNamedBy('caller', timezone));
  if (day_rule !== undefined) user.dayRule = day_rule;
}

const zoneNamedBy = (source: ZoneSource, timezone: string | null): Pick<ModelUser, 'timezone' | 'timezoneSource'> => ({
  timezone,
  timezoneSource: timezone === null ? null : source,
});

/** Only connected providers can be switched on or off. */
export function canApplySettings(user: ModelUser, { providers = {}, metrics = {} }: WirePatch): boolean {
  const connected = new Set<string>(user.devices.map(({ provider }) => provider));
  const named = [providers, ...Object.values(metrics).map((metric) => metric.providers ?? {})].flatMap(Object.keys);
  return named.every((provider) => connected.has(provider));
}

export function applySettings(user: ModelUser, { metrics = {}, providers = {} }: WirePatch): void {
  for (const [provider, on] of Object.entries(providers)) setPresence(user.disabledProviders, provider, !on);
  for (const [key, { method, providers: switches = {} }] of Object.entries(metrics)) {
    if (method === null) user.methods.delete(key);
    else if (method !== undefined) user.methods.set(key, method);
    for (const [provider, on] of Object.entries(switches)) setPresence(user.disabledForKey, `${key} ${provider}`, !on);
  }
}

export function resetSettings(user: ModelUser): void {
  user.methods.clear();
  user.disabledProviders.clear();
  user.disabledForKey.clear();
}

export function disconnectDevice(user: ModelUser, device: Device): void {
  user.devices = user.devices.filter((other) => other !== device);
}

export const methodFor = (user: ModelUser, metric: string): Method =>
  user.methods.get(settingsKey(metric)) ?? defaultMethod(settingsKey(metric));

/** The devices that count for a metric, highest-ranked first. */
export const enabledDevices = (user: ModelUser, metric: string): Device[] =>
  rankedDevices(user, metric).filter(
    ({ provider }) =>
      !user.disabledProviders.has(provider) && !user.disabledForKey.has(`${settingsKey(metric)} ${provider}`),
  );

/** All devices, highest-ranked first: by type, then the one connected last, then the lower id. */
export function rankedDevices(user: ModelUser, metric: string): Device[] {
  const rank = ({ type }: Device): number => rankOf(type, metricOf(metric));
  return user.devices.toSorted((a, b) => rank(a) - rank(b) || b.connectedAt - a.connectedAt || (a.id < b.id ? -1 : 1));
}

function newDevice(user: ModelUser, provider: Provider, { device }: WireUpload): Device {
  const created: Device = {
    provider,
    model: device.model,
    type: device.type,
    id: '',
    connectedAt: 0,
    samples: new Map(),
    totals: new Map(),
    nights: new Map(),
    workouts: new Map(),
  };
  user.devices.push(created);
  return created;
}

/** If an upload reports a session twice, the last report counts. */
const lastOfEach = <Kept extends { start: number }>(records: readonly Kept[]): Kept[] => [
  ...new Map(records.map((each) => [each.start, each])).values(),
];

/** An identical record does not count as received again. */
function replace<Key, Kept extends TimedRecord & { received?: number }>(
  stored: Map<Key, Kept>,
  key: Key,
  next: Kept,
): void {
  const before = stored.get(key);
  const repeated = { ...next, ...(before?.received === undefined ? {} : { received: before.received }) };
  stored.set(key, before && sameRecord(repeated, before) ? before : next);
}

const sameRecord = (a: object, b: object): boolean => serialize(a) === serialize(b);
const serialize = (record: object): string =>
  JSON.stringify(record, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

function setPresence(all: Set<string>, one: string, present: boolean): void {
  if (present) all.add(one);
  else all.delete(one);
}
