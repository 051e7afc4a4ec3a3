// The page on receiving webhooks: how to register an endpoint, receivers, and every event type. Its
// script only copies text.

import { EventType } from '../../../shared/events/event.ts';
import type { WebhookEvent } from '../../../shared/events/feed-event.ts';
import { escapeHtml, type Markup, markup } from '../../../shared/platform/markup.ts';
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { script as copyButtons } from './browser/copy-buttons.ts?browser';
import { buildGuide, readGuideAsset } from './build-guide.ts';
import { renderCodeBlock, renderInlineCode } from './code-block.ts';
import { getEventExample } from './event-examples.ts';

let page: DocsPage | undefined;

/** Builds the page once and fills in the deployment's base URL last. */
export function renderWebhooksPage(baseUrl: string): DocsPage {
  page ??= buildPage();
  return { ...page, html: page.html.replaceAll('{base_url}', () => escapeHtml(baseUrl)) };
}

const authorization = '-H "authorization: Bearer $DAYBOOK_KEY"';

const buildPage = (): DocsPage =>
  buildGuide({
    path: '/docs/webhooks',
    title: 'Receiving webhooks · Daybook',
    html: 'webhooks.html',
    styles: ['article.css', 'code-block.css'],
    script: copyButtons,
    fill: {
      key_command: renderCommand('Export the key', "export DAYBOOK_KEY='sk_sandbox_…'"),
      register_command: renderCommand(
        'Register an endpoint',
        `curl -s {base_url}/v1/webhooks \\
  ${authorization} \\
  -H 'content-type: application/json' \\
  -d '{"url": "http://localhost:4000/", "events": ["*"]}'`,
      ),
      test_command: renderCommand(
        'Send a test event',
        `export WEBHOOK='whk_…'
curl -s -X POST {base_url}/v1/webhooks/$WEBHOOK/test \\
  ${authorization}`,
      ),
      deliveries_command: renderCommand(
        'List deliveries',
        `curl -s "{base_url}/v1/webhooks/$WEBHOOK/deliveries?limit=10" \\
  ${authorization}`,
      ),
      receiver_mjs: renderReceiver('receiver.mjs'),
      receiver_py: renderReceiver('receiver.py'),
      receiver_go: renderReceiver('receiver.go'),
      event_types: markup`${[...EventType.options, 'webhook.test' as const].map(renderEventType)}`.html,
    },
  });

const renderCommand = (label: string, text: string): string => renderCodeBlock({ caption: 'Shell', label, text }).html;

const renderReceiver = (file: string): string =>
  renderCodeBlock({ caption: file, label: file, text: readGuideAsset(file) }).html;

function renderEventType(type: WebhookEvent['event_type']): Markup {
  const { when, body } = getEventExample(type);
  const text = JSON.stringify(body, undefined, 2);
  return markup`<h3 id="${type}"><code>${type}</code></h3>
<p>${renderInlineCode(when)}</p>
${renderCodeBlock({ caption: 'Body', label: `Body of ${type}`, text })}
`;
}
