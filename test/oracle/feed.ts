// The events of one scenario, read from where the last read ended.
import type { RebuildEvent } from './expected-rebuild.ts';
import type { ScenarioRun } from './scenario-run.ts';

/** The rebuilds in the feed since the last call. */
export async function readNewRebuilds(run: ScenarioRun): Promise<RebuildEvent[]> {
  const { system, key, userId } = run;
  const found: RebuildEvent[] = [];
  for (;;) {
    const after = run.feedCursor === null ? '' : `&cursor=${encodeURIComponent(run.feedCursor)}`;
    const path = `/v1/events?user_id=${userId}&types=subject.synced&limit=1000${after}`;
    const response = await system.call('GET', path, { token: key });
    if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status} ${response.text}`);
    found.push(...response.body.events);
    run.feedCursor = response.body.cursor;
    if (!response.body.has_more) return found;
  }
}
