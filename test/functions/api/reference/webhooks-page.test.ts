import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { webhooksPage } from '../../../../functions/api/reference/webhooks-page.ts';
import { mostAttempts, retryDelaysMs } from '../../../../shared/domain/webhooks/schedule.ts';
import { EventType } from '../../../../shared/model/event.ts';

const { html, contentSecurityPolicy } = webhooksPage();
const text = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('the page on receiving webhooks', () => {
  test.each(['receiver.ts', 'verify.py', 'verify.go'])('shows %s exactly as it is tested', (name) => {
    const file = readFileSync(new URL(`../../../examples/webhook-receiver/${name}`, import.meta.url), 'utf8');
    const shown = new RegExp(`<pre data-example="${name}"><code>([\\s\\S]*?)</code></pre>`).exec(html)?.[1];
    expect(text(shown ?? '')).toBe(file.trimEnd());
  });

  test('names every event type', () => {
    for (const type of EventType.options) expect(html).toContain(`<code>${type}</code>`);
  });

  test('lists the attempts as they are made', () => {
    const rows = [...html.matchAll(/<tr><td>(\d+)<\/td><td>([^<]+)<\/td><\/tr>/g)].map(([, , when = '']) => when);
    const unit = { second: 1, seconds: 1, minute: 60, minutes: 60, hour: 3600, hours: 3600 };
    const milliseconds = rows.slice(1).map((when) => {
      const [, count, name = ''] = /^(\d+) (\w+) later$/.exec(when) ?? [];
      return Number(count) * 1000 * (Object.entries(unit).find(([each]) => each === name)?.[1] ?? 0);
    });
    expect(rows).toHaveLength(mostAttempts);
    expect(milliseconds).toEqual([...retryDelaysMs]);
  });

  test('runs no script, loads nothing and has only the style its policy allows', () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(style.length).toBeGreaterThan(100);
    expect(contentSecurityPolicy).toContain(`style-src 'sha256-${digest}'`);
    expect(contentSecurityPolicy).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<img|<link|\sstyle=|\son\w+=|https?:\/\//i);
  });
});
