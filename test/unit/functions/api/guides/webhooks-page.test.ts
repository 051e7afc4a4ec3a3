import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getEventExample } from '../../../../../functions/api/guides/event-examples.ts';
import { renderWebhooksPage } from '../../../../../functions/api/guides/webhooks-page.ts';
import { EventType } from '../../../../../shared/events/event.ts';
import { WebhookEvent } from '../../../../../shared/events/feed-event.ts';
import { maxDeliveryAttempts, retryDelaysMs } from '../../../../../shared/webhooks/delivery-backoff.ts';
import { checkScriptedPage } from '../docs-kit/page-checks.ts';
import { readCodeBlocks } from '../docs-kit/read-code-blocks.ts';

const base = 'https://api.example.com';
const page = renderWebhooksPage(base);
const { html } = page;
const blocks = readCodeBlocks(html);
const sentTypes = [...EventType.options, 'webhook.test'] as const;

describe('the webhooks page', () => {
  test.each(['receiver.mjs', 'receiver.py', 'receiver.go'])('shows %s exactly as it is tested', (name) => {
    const assets = new URL('../../../../../functions/api/guides/assets/', import.meta.url);
    expect(blocks.get(name)).toBe(readFileSync(new URL(name, assets), 'utf8').trimEnd());
  });

  test('shows the body of every event type', () => {
    const labels = [...blocks.keys()].filter((label) => label.startsWith('Body of '));
    expect(labels).toEqual(sentTypes.map((type) => `Body of ${type}`));
    for (const type of sentTypes) {
      expect(html).toContain(`<h3 id="${type}"><code>${type}</code></h3>`);
      expect(JSON.parse(blocks.get(`Body of ${type}`) ?? '')).toEqual(getEventExample(type).body);
    }
  });

  test.each(sentTypes)('has an example of %s that the schema accepts, with nothing left over', (type) => {
    const { body, when } = getEventExample(type);
    expect(WebhookEvent.parse(body)).toEqual(body);
    expect(body.event_type).toBe(type);
    expect(when).toMatch(/\.$/);
    expect(WebhookEvent.options.find(({ shape }) => shape.event_type.value === type)?.meta()?.description).toBe(when);
  });

  test('shows commands for this deployment, with a placeholder for the key', () => {
    const commands = ['Register an endpoint', 'Send a test event', 'List deliveries'].map((label) => blocks.get(label));
    for (const command of commands) {
      expect(command).toContain(`${base}/v1/webhooks`);
      expect(command).toContain('-H "authorization: Bearer $DAYBOOK_KEY"');
    }
    expect(blocks.get('Export the key')).toBe("export DAYBOOK_KEY='sk_sandbox_…'");
  });

  test('has a name of its own for each block, which the keyboard can reach', () => {
    const pres = [...html.matchAll(/<pre([^>]*)>/g)].map(([, attributes = '']) => attributes);
    expect(blocks.size).toBe(pres.length);
    for (const attributes of pres) expect(attributes).toMatch(/^ tabindex="0" role="group" aria-label="[^"]+"$/);
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

const withoutCommandUrls = html.replaceAll(base, '').replaceAll('http://localhost:4000/', '');
checkScriptedPage({ ...page, html: withoutCommandUrls }, '/docs/webhooks');
