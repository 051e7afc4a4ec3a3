// The reads of Form 1, each held against those of Form 2 for the same person at the same moment.
import type { Told } from '../harness/ask.ts';
import type { WrongRead } from './check-reads.ts';
import type { Mismatch } from './compare.ts';
import type { DailyBody } from './compare-daily.ts';
import { type Asked, flatNightMismatches, flatWorkoutMismatches, rowMismatches } from './compare-forms.ts';
import type { DetailBody, ListBody } from './compare-sessions.ts';
import type { Living } from './living.ts';
import type { View } from './view.ts';

export async function checkForms(living: Living, view: View): Promise<WrongRead[]> {
  // Each life is asked in both unit systems, once with its sources and once without.
  const odd = living.life.seed % 2 === 1;
  return [
    ...(await checkAsked(living, view, { imperial: false, sources: odd })),
    ...(await checkAsked(living, view, { imperial: true, sources: !odd })),
  ];
}

async function checkAsked(living: Living, view: View, asked: Asked): Promise<WrongRead[]> {
  const { life } = living;
  const wrong: WrongRead[] = [];
  const read = async (key: string, path: string): Promise<Told['body']> => {
    const told = await living.system.call('GET', `/v1/users/${living.userId}${path}`, { token: key });
    if (told.status === 200) return told.body;
    throw new Error(`GET ${path} was answered with ${told.status} ${told.text}`);
  };
  const flat = `start_date=${life.from}&end_date=${life.to}&include_sources=${asked.sources}${asked.imperial ? '&unit_system=imperial' : ''}`;
  const hold = async (path: string, mismatches: (body: ListBody) => Mismatch[]) => {
    const found = mismatches(await read(living.form1Key, path));
    if (found.length > 0) wrong.push({ read: `GET /v1/users/{id}${path} in Form 1`, mismatches: found });
  };

  const wide = `from_date=${life.from}&to_date=${life.to}&include_sources=${asked.sources}`;
  const daily: DailyBody = await read(
    living.key,
    `/daily?${wide}&unit_system=${asked.imperial ? 'imperial' : 'metric'}`,
  );
  const sleep: ListBody = await read(living.key, `/sleep?${wide}&limit=100`);
  const workouts: ListBody = await read(living.key, `/workouts?${wide}&limit=100`);
  const details: DetailBody[] = [];
  for (const { id } of workouts.data)
    details.push(await read(living.key, `/workouts/${id}?include_sources=${asked.sources}`));

  await hold(`/daily?${flat}`, (body) => rowMismatches(daily, body));
  await hold(`/sleep?${flat}`, (body) => flatNightMismatches(view, life, asked, { sleep, daily }, body));
  await hold(`/workouts?${flat}&per_page=100`, (body) => flatWorkoutMismatches(view, life, asked, details, body));
  return wrong;
}
