// Checks every read of a user's data against the model.
import type { ApiResponse } from '../harness/send-request.ts';
import { checkForms } from './check-forms.ts';
import type { Mismatch } from './compare.ts';
import { dailyMismatches } from './compare-daily.ts';
import { profileMismatches, todayMismatches } from './compare-profile.ts';
import { columnMismatches, type SamplesRead, sampleMismatches } from './compare-series.ts';
import { type DetailBody, detailMismatches, nightMismatches, workoutMismatches } from './compare-sessions.ts';
import { sumMismatches } from './compare-sums.ts';
import { expectedWorkouts, visibleWorkouts } from './expected-sessions.ts';
import type { Scenario } from './scenario.ts';
import type { ScenarioRun } from './scenario-run.ts';
import { createView, type View } from './view.ts';

type Check = (view: View, body: ApiResponse['body']) => Mismatch[];

export interface WrongRead {
  read: string;
  mismatches: Mismatch[];
}

export async function checkReads(run: ScenarioRun, isFinal: boolean): Promise<WrongRead[]> {
  const wrong: WrongRead[] = [];
  const bodies = new Map<string, ApiResponse['body']>();
  const { system, key, userId, user, scenario } = run;
  const view = createView(user);
  const sentMs = system.clock.now();
  const range = `from_date=${scenario.from}&to_date=${scenario.to}`;
  const dailyIn = (units: string): string => `/daily?${range}&unit_system=${units}&include_sources=true`;
  const allWorkouts = `/workouts?${range}&include_sources=true&limit=100`;
  const always: [string, Check][] = [
    ['', profileMismatches],
    [dailyIn('metric'), (now, body) => dailyMismatches(now, body, false)],
    [
      `/sleep?${range}&include_sources=true&include_stages=true&limit=100`,
      (now, body) => nightMismatches(now, scenario, body),
    ],
    [allWorkouts, (now, body) => workoutMismatches(now, scenario, body)],
  ];
  const more: [string, Check][] = [
    [dailyIn('imperial'), (now, body) => dailyMismatches(now, body, true)],
    ['/daily?types=steps', (now, body) => todayMismatches(now, { from: sentMs, to: system.clock.now() }, body)],
    ...samplesReads(view, scenario).map((read): [string, Check] => [
      `/timeseries?metrics=${read.metrics.join(',')}&start_date=${read.from}&end_date=${read.to}&include_sources=true${read.imperial ? '&unit_system=imperial' : ''}`,
      (now, body) => sampleMismatches(now, read, body.data),
    ]),
    // The day of a workout shows only in the date ranges that contain it.
    ...workoutDates(view, scenario).map((date): [string, Check] => [
      `/workouts?from_date=${date}&to_date=${date}&include_sources=true`,
      (now, body) => workoutMismatches(now, { from: date, to: date }, body),
    ]),
    ...scenario.columnReads.map((read): [string, Check] => [
      `/timeseries?metric=${read.metric}&date=${read.date}&resolution=${read.resolution}&include_sources=true${read.imperial ? '&unit_system=imperial' : ''}`,
      (now, body) => [
        ...columnMismatches(now, read, body),
        ...sumMismatches(now, read, body, bodies.get(dailyIn(read.imperial ? 'imperial' : 'metric'))),
      ],
    ]),
  ];
  for (const [path, check] of isFinal ? [...always, ...more] : always) {
    const response = await system.call('GET', `/v1/users/${userId}${path}`, { token: key });
    bodies.set(path, response.body);
    const mismatches =
      response.status === 200 ? check(view, response.body) : [{ where: 'status', got: response.text, expected: '200' }];
    if (mismatches.length > 0) wrong.push({ read: `GET /v1/users/{id}${path}`, mismatches });
    else if (path === allWorkouts && isFinal) wrong.push(...(await checkDetails(run, view, response.body.data)));
  }
  // A mismatch with the model shows in both forms.
  return isFinal && wrong.length === 0 ? checkForms(run, view) : wrong;
}

const metricsPerRead = 16;

/** Every metric that has samples, in alternating unit systems. */
function samplesReads({ user }: View, { from, to, seed }: Scenario): SamplesRead[] {
  const sent = user.devices.flatMap(({ samples }) => Array.from(samples.values(), ({ metric }) => metric));
  const rest = [...new Set(['steps', ...sent])];
  const reads: SamplesRead[] = [];
  while (rest.length > 0)
    reads.push({ metrics: rest.splice(0, metricsPerRead), from, to, imperial: (seed + reads.length) % 2 === 1 });
  return reads;
}

const workoutDates = (view: View, { from, to }: Scenario): string[] => [
  ...new Set(visibleWorkouts(view, from, to).map(({ date }) => date)),
];

async function checkDetails(
  { system, key, userId, scenario }: ScenarioRun,
  view: View,
  listed: { id: string }[],
): Promise<WrongRead[]> {
  const wrong: WrongRead[] = [];
  for (const [at, expected] of expectedWorkouts(view, scenario.from, scenario.to).entries()) {
    const path = `/v1/users/${userId}/workouts/${listed[at]?.id}?include_sources=true`;
    const response = await system.call('GET', path, { token: key });
    const body: DetailBody = response.body;
    const mismatches =
      response.status === 200
        ? detailMismatches(expected, body)
        : [{ where: 'status', got: response.text, expected: '200' }];
    if (mismatches.length > 0) wrong.push({ read: `GET ${path}`, mismatches });
  }
  return wrong;
}
