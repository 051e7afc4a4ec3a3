// Needs Node 24 or newer. Start it with: DAYBOOK_KEY=sk_sandbox_... node quickstart.ts
const url = process.env.DAYBOOK_URL ?? 'http://localhost:8787';
const key = process.env.DAYBOOK_KEY;
if (!key) throw new Error('Set DAYBOOK_KEY to a sandbox key.');

interface EventPage {
  events: { event_type: string; from_date: string; to_date: string }[];
  cursor: string;
}
interface Daily {
  dates: string[];
  series: { steps: (number | null)[] };
  sources: { steps: ({ provider: string } | null)[] };
}

async function call<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

// 1. Create a user. In the sandbox, the user gets a ring and a phone with seven days of data.
const { id } = await call<{ id: string }>('/v1/users', { timezone: 'Europe/London' });
console.log(`user ${id}`);

// 2. Follow the user's events. Each page has a cursor, which the next request sends.
async function waitForData(): Promise<{ from_date: string; to_date: string }> {
  let cursor = '';
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const query = new URLSearchParams({ user_id: id, types: 'data.updated', ...(cursor && { cursor }) });
    const page = await call<EventPage>(`/v1/events?${query}`);
    const [event] = page.events;
    if (event) return event;
    cursor = page.cursor;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error('No data arrived within a minute.');
}

// 3. React to the event: read the days that it names, with the device behind each value.
const { from_date, to_date } = await waitForData();
const query = new URLSearchParams({ types: 'steps', from_date, to_date, include_sources: 'true' });
const { dates, series, sources } = await call<Daily>(`/v1/users/${id}/daily?${query}`);

// 4. Draw a chart. Missing is null, never 0.
for (const [index, date] of dates.entries()) {
  const steps = series.steps[index] ?? null;
  const bar = steps === null ? 'no value' : `${'#'.repeat(Math.round(steps / 500))} ${steps}`;
  console.log(date, bar, sources.steps[index]?.provider ?? '');
}
