// What happens to a user besides uploads and moves: changed settings and disconnected devices.

import type { Random } from './random.ts';
import { allowedMethods, settingsKey } from './rules.ts';
import type { ScenarioEvent, WirePatch } from './scenario.ts';
import type { ScenarioSetting } from './scenario-setting.ts';

/** In the order they happen. Many scenarios have none. */
export function makeSettingsEvents(setting: ScenarioSetting, metrics: readonly string[]): ScenarioEvent[] {
  const { random, gadgets } = setting;
  const events: ScenarioEvent[] = [];
  const count = random.weighted([
    [3, 0],
    [3, 1],
    [2, 2],
    [2, 3],
    [1, 5],
  ] as const);
  for (let at = 0; at < count; at++)
    events.push(
      random.weighted<() => ScenarioEvent>([
        [5, () => ({ kind: 'settings', patch: makePatch(setting, metrics) })],
        [1, () => ({ kind: 'reset' })],
        [
          1,
          () => {
            const { provider, model } = random.pick(gadgets);
            return { kind: 'disconnect', provider, model };
          },
        ],
      ])(),
    );
  return events;
}

/**
 * Changes the method for one or two metrics that are certain to have data. Often this is an
 * average, whose source does not have the same value.
 */
export function makeMethodChange(random: Random, metrics: readonly string[]): ScenarioEvent[] {
  if (metrics.length === 0 || !random.chance(0.5)) return [];
  const keys = [...new Set(random.shuffled(metrics).slice(0, 2).map(settingsKey))];
  const changes = keys.map((key) => [key, { method: random.pick([...allowedMethods(key), 'avg' as const]) }]);
  return [{ kind: 'settings', patch: { metrics: Object.fromEntries(changes) } }];
}

function makePatch({ random, gadgets }: ScenarioSetting, metrics: readonly string[]): WirePatch {
  const providers = [...new Set(gadgets.map(({ provider }) => provider))];
  const switches = () => ({ [random.pick(providers)]: random.chance(0.4) });
  if (random.chance(0.25)) return { providers: switches() };
  const keys = [...new Set(Array.from({ length: random.int(1, 2) }, () => settingsKey(random.pick(metrics))))];
  return {
    metrics: Object.fromEntries(
      keys.map((key) => {
        const method = random.chance(0.1) ? null : random.pick(allowedMethods(key));
        if (random.chance(0.3)) return [key, { providers: switches() }];
        return [key, random.chance(0.2) ? { method, providers: switches() } : { method }];
      }),
    ),
  };
}
