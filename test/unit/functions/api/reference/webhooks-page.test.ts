import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderWebhooksPage } from '../../../../../functions/api/reference/webhooks-page.ts';
import { EventType } from '../../../../../shared/events/event.ts';
import { maxDeliveryAttempts, retryDelaysMs } from '../../../../../shared/webhooks/delivery-backoff.ts';
import { checkScriptlessPage } from './page-checks.ts';

const { html } = renderWebhooksPage();
const toText = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('the webhooks page', () => {
  test.each(['receiver.ts', 'verify.py', 'verify.go'])('shows %s exactly as it is tested', (name) => {
    const file = readFileSync(new URL(`../../../../examples/webhook-receiver/${name}`, import.meta.url), 'utf8');
    const shown = new RegExp(`<pre data-example="${name}"><code>([\\s\\S]*?)</code></pre>`).exec(html)?.[1];
    expect(toText(shown ?? '')).toBe(file.trimEnd());
  });

  test('names every event type', () => {
    for (const type of EventType.options) expect(html).toContain(`<code>${type}</code>`);
  });

  test('lists the attempts with the delays that are used', () => {
    const rows = [...html.matchAll(/<tr><td>(\d+)<\/td><td>([^<]+)<\/td><\/tr>/g)].map(([, , when = '']) => when);
    const unit = { second: 1, seconds: 1, minute: 60, minutes: 60, hour: 3600, hours: 3600 };
    const milliseconds = rows.slice(1).map((when) => {
      const [, count, name = ''] = /^(\d+) (\w+) later$/.exec(when) ?? [];
      return Number(count) * 1000 * (Object.entries(unit).find(([each]) => each === name)?.[1] ?? 0);
    });
    expect(rows).toHaveLength(maxDeliveryAttempts);
    expect(milliseconds).toEqual([...retryDelaysMs]);
  });
});

checkScriptlessPage(renderWebhooksPage(), '/docs/webhooks');
