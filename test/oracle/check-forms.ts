// Checks the reads of Form 1 against those of Form 2 for the same user at the same moment.
import type { ApiResponse } from '../harness/send-request.ts';
import type { WrongRead } from './check-reads.ts';
import type { Mismatch } from './compare.ts';
import type { DailyBody } from './compare-daily.ts';
import { flatNightMismatches, flatWorkoutMismatches, type ReadOptions, rowMismatches } from './compare-forms.ts';
import type { DetailBody, ListBody } from './compare-sessions.ts';
import type { ScenarioRun } from './scenario-run.ts';
import type { View } from './view.ts';

export async function checkForms(run: ScenarioRun, view: View): Promise<WrongRead[]> {
  // Each scenario is read in both unit systems, once with sources and once without.
  const odd = run.scenario.seed % 2 === 1;
  return [
    ...(await checkFormReads(run, view, { imperial: false, sources: odd })),
    ...(await checkFormReads(run, view, { imperial: true, sources: !odd })),
  ];
}

async function checkFormReads(run: ScenarioRun, view: View, options: ReadOptions): Promise<WrongRead[]> {
  const { scenario } = run;
  const wrong: WrongRead[] = [];
  const read = async (key: string, path: string): Promise<ApiResponse['body']> => {
    const response = await run.system.call('GET', `/v1/users/${run.userId}${path}`, { token: key });
    if (response.status === 200) return response.body;
    throw new Error(`GET ${path} returned ${response.status} ${response.text}`);
  };
  const flat = `start_date=${scenario.from}&end_date=${scenario.to}&include_sources=${options.sources}${options.imperial ? '&unit_system=imperial' : ''}`;
  const check = async (path: string, mismatches: (body: ListBody) => Mismatch[]) => {
    const found = mismatches(await read(run.form1Key, path));
    if (found.length > 0) wrong.push({ read: `GET /v1/users/{id}${path} in Form 1`, mismatches: found });
  };

  const wide = `from_date=${scenario.from}&to_date=${scenario.to}&include_sources=${options.sources}`;
  const daily: DailyBody = await read(
    run.key,
    `/daily?${wide}&unit_system=${options.imperial ? 'imperial' : 'metric'}`,
  );
  const sleep: ListBody = await read(run.key, `/sleep?${wide}&include_stages=true&limit=100`);
  const workouts: ListBody = await read(run.key, `/workouts?${wide}&limit=100`);
  const details: DetailBody[] = [];
  for (const { id } of workouts.data)
    details.push(await read(run.key, `/workouts/${id}?include_sources=${options.sources}`));

  await check(`/daily?${flat}`, (body) => rowMismatches(daily, body));
  await check(`/sleep?${flat}&include_stages=true`, (body) =>
    flatNightMismatches(view, scenario, options, { sleep, daily }, body),
  );
  await check(`/workouts?${flat}&per_page=100`, (body) =>
    flatWorkoutMismatches(view, scenario, options, details, body),
  );
  return wrong;
}
