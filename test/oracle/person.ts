// A person as the oracle keeps them: devices with their records by natural key, and the settings; events change it in order.
import type { Provider, WirePatch, WireUpload } from './life.ts';
import { metricOf } from './metric-table.ts';
import {
  type Night,
  readNight,
  readSample,
  readTotal,
  readWorkout,
  type Sample,
  sampleKey,
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
export interface Person {
  timezone: string | null;
  devices: Device[];
  methods: Map<string, Method>;
  off: Set<string>;
  /** `key provider` */
  offFor: Set<string>;
  uploads: number;
}

export const newPerson = (timezone: string | null): Person => ({
  timezone,
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
  const { time_zone: zone, samples = [], daily = [], sleep = [], workouts = [] } = body;
  for (const wire of samples) {
    const sample = readSample(wire, zone);
    replace(device.samples, sampleKey(sample), sample);
  }
  for (const wire of daily) device.totals.set(totalKey(wire.metric, wire.date), readTotal(wire));
  for (const wire of sleep) {
    const night = readNight(wire, zone, person.uploads);
    replace(device.nights, night.start, night);
  }
  for (const wire of workouts) {
    const workout = readWorkout(wire, zone, person.uploads);
    replace(device.workouts, workout.start, workout);
  }
  return device;
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

/** A new version keeps the phone's zone of the first; the same again is not received anew. */
function replace<Key, Kept extends { phoneZone: string; received?: number }>(
  kept: Map<Key, Kept>,
  key: Key,
  next: Kept,
): void {
  const before = kept.get(key);
  if (!before) {
    kept.set(key, next);
    return;
  }
  const version = { ...next, phoneZone: before.phoneZone };
  const repeated = { ...version, ...(before.received === undefined ? {} : { received: before.received }) };
  kept.set(key, sameRecord(repeated, before) ? before : version);
}

const sameRecord = (a: object, b: object): boolean => written(a) === written(b);
const written = (record: object): string =>
  JSON.stringify(record, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

function flip(all: Set<string>, one: string, present: boolean): void {
  if (present) all.add(one);
  else all.delete(one);
}
