// A person as the oracle keeps them: devices with their records by natural key, and the settings; events change it in order.
import type { Calendar, DayRule } from './days.ts';
import type { Provider, WirePatch, WireProfile, WireUpload } from './life.ts';
import { metricOf } from './metric-table.ts';
import {
  type Night,
  readNight,
  readSample,
  readTotal,
  readWorkout,
  type Sample,
  sampleKey,
  type Timed,
  type Total,
  totalKey,
  type Workout,
} from './records.ts';
import { type DeviceType, defaultMethod, keyOf, type Method, rankOf } from './rules.ts';

export interface Device {
  provider: Provider;
  model: string;
  type: DeviceType;
  /** Given by the service; '' until it has told. */
  id: string;
  connectedAt: number;
  samples: Map<string, Sample>;
  totals: Map<string, Total>;
  nights: Map<number, Night>;
  workouts: Map<number, Workout>;
}
/** Who named the zone of a profile. */
export type ZoneSource = 'caller' | 'device';
export interface Person extends Calendar {
  timezoneSource: ZoneSource | null;
  devices: Device[];
  methods: Map<string, Method>;
  off: Set<string>;
  /** `key provider` */
  offFor: Set<string>;
  uploads: number;
}

export const newPerson = (timezone: string | null, dayRule: DayRule = 'profile'): Person => ({
  ...namedBy('caller', timezone),
  dayRule,
  devices: [],
  methods: new Map(),
  off: new Set(),
  offFor: new Set(),
  uploads: 0,
});

export const deviceOf = (person: Person, provider: Provider, model: string): Device | undefined =>
  person.devices.find((device) => device.provider === provider && device.model === model);

export function takeUpload(person: Person, provider: Provider, body: WireUpload): Device {
  const device = deviceOf(person, provider, body.device.model) ?? newDevice(person, provider, body);
  device.type = body.device.type;
  person.uploads += 1;
  // Once, and never over what a caller has named.
  if (person.timezone === null) Object.assign(person, namedBy('device', body.time_zone));
  const { samples = [], daily = [], sleep = [], workouts = [] } = body;
  for (const wire of samples) {
    const sample = readSample(wire);
    replace(device.samples, sampleKey(sample), sample);
  }
  for (const wire of daily) device.totals.set(totalKey(wire.metric, wire.date), readTotal(wire));
  const nights = sleep.map((wire) => readNight(wire, person.uploads));
  for (const night of lastOfEach(nights)) replace(device.nights, night.start, night);
  const exercises = workouts.map((wire) => readWorkout(wire, person.uploads));
  for (const workout of lastOfEach(exercises)) replace(device.workouts, workout.start, workout);
  return device;
}

export function takeProfile(person: Person, { timezone, day_rule }: WireProfile): void {
  if (timezone !== undefined) Object.assign(person, namedBy('caller', timezone));
  if (day_rule !== undefined) person.dayRule = day_rule;
}

const namedBy = (source: ZoneSource, timezone: string | null): Pick<Person, 'timezone' | 'timezoneSource'> => ({
  timezone,
  timezoneSource: timezone === null ? null : source,
});

/** Only providers that are connected can be switched. */
export function canSet(person: Person, { providers = {}, metrics = {} }: WirePatch): boolean {
  const connected = new Set<string>(person.devices.map(({ provider }) => provider));
  const named = [providers, ...Object.values(metrics).map((metric) => metric.providers ?? {})].flatMap(Object.keys);
  return named.every((provider) => connected.has(provider));
}

export function takeSettings(person: Person, { metrics = {}, providers = {} }: WirePatch): void {
  for (const [provider, on] of Object.entries(providers)) flip(person.off, provider, !on);
  for (const [key, { method, providers: switches = {} }] of Object.entries(metrics)) {
    if (method === null) person.methods.delete(key);
    else if (method !== undefined) person.methods.set(key, method);
    for (const [provider, on] of Object.entries(switches)) flip(person.offFor, `${key} ${provider}`, !on);
  }
}

export function forgetSettings(person: Person): void {
  person.methods.clear();
  person.off.clear();
  person.offFor.clear();
}

export function disconnect(person: Person, device: Device): void {
  person.devices = person.devices.filter((other) => other !== device);
}

export const methodFor = (person: Person, metric: string): Method =>
  person.methods.get(keyOf(metric)) ?? defaultMethod(keyOf(metric));

/** The devices whose word counts for a metric, the most believed first. */
export const believed = (person: Person, metric: string): Device[] =>
  ranked(person, metric).filter(
    ({ provider }) => !person.off.has(provider) && !person.offFor.has(`${keyOf(metric)} ${provider}`),
  );

/** All devices, the most believed first: by type, then the one connected last, then the lower id. */
export function ranked(person: Person, metric: string): Device[] {
  const rank = ({ type }: Device): number => rankOf(type, metricOf(metric));
  return person.devices.toSorted(
    (a, b) => rank(a) - rank(b) || b.connectedAt - a.connectedAt || (a.id < b.id ? -1 : 1),
  );
}

function newDevice(person: Person, provider: Provider, { device }: WireUpload): Device {
  const made: Device = {
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
  person.devices.push(made);
  return made;
}

/** An upload that tells of a session twice means what it says last. */
const lastOfEach = <Kept extends { start: number }>(told: readonly Kept[]): Kept[] => [
  ...new Map(told.map((each) => [each.start, each])).values(),
];

/** The same again is not received anew. */
function replace<Key, Kept extends Timed & { received?: number }>(kept: Map<Key, Kept>, key: Key, next: Kept): void {
  const before = kept.get(key);
  const repeated = { ...next, ...(before?.received === undefined ? {} : { received: before.received }) };
  kept.set(key, before && sameRecord(repeated, before) ? before : next);
}

const sameRecord = (a: object, b: object): boolean => written(a) === written(b);
const written = (record: object): string =>
  JSON.stringify(record, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

function flip(all: Set<string>, one: string, present: boolean): void {
  if (present) all.add(one);
  else all.delete(one);
}
