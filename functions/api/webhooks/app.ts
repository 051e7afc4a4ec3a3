import { type Api, createApi } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import * as deliveries from '../../../shared/webhooks/deliveries.ts';
import * as webhooks from '../../../shared/webhooks/endpoints.ts';
import { recoverDeliveries } from '../../../shared/webhooks/recover-deliveries.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function webhooksApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.registerWebhook, async (c) => {
    const data = await webhooks.registerWebhook(deps, c.var.caller, c.req.valid('json'));
    c.set('actedOn', [data.id]);
    return c.json({ data }, 201);
  });

  api.openapi(routes.listWebhooks, async (c) => c.json({ data: await webhooks.listWebhooks(deps, c.var.caller) }, 200));

  api.openapi(routes.getWebhook, async (c) =>
    c.json({ data: await webhooks.getWebhook(deps, c.var.caller, c.req.valid('param').webhook_id) }, 200),
  );

  api.openapi(routes.updateWebhook, async (c) => {
    const { webhook_id } = c.req.valid('param');
    return c.json({ data: await webhooks.updateWebhook(deps, c.var.caller, webhook_id, c.req.valid('json')) }, 200);
  });

  api.openapi(routes.deleteWebhook, async (c) => {
    await webhooks.deleteWebhook(deps, c.var.caller, c.req.valid('param').webhook_id);
    return c.body(null, 204);
  });

  api.openapi(routes.rotateWebhookSecret, async (c) =>
    c.json({ data: await webhooks.rotateSecret(deps, c.var.caller, c.req.valid('param').webhook_id) }, 200),
  );

  api.openapi(routes.testWebhook, async (c) =>
    c.json({ data: await deliveries.sendTest(deps, c.var.caller, c.req.valid('param').webhook_id) }, 200),
  );

  api.openapi(routes.listDeliveries, async (c) => {
    const { caller } = c.var;
    const { webhook_id } = c.req.valid('param');
    const { limit, cursor } = c.req.valid('query');
    const scope = { caller, route: routes.listDeliveries.route.operationId, query: { limit, webhook_id } };
    const beforeId = openCursor(deps.keyring, scope, cursor);
    const page = await deliveries.listDeliveries(deps, caller, webhook_id, { limit, beforeId });
    const next_cursor = page.nextBeforeId === undefined ? null : sealCursor(deps.keyring, scope, page.nextBeforeId);
    return c.json({ data: page.deliveries, next_cursor }, 200);
  });

  api.openapi(routes.redeliver, async (c) => {
    const { webhook_id, delivery_id } = c.req.valid('param');
    return c.json({ data: await deliveries.redeliver(deps, c.var.caller, webhook_id, delivery_id) }, 202);
  });

  api.openapi(routes.recoverWebhook, async (c) => {
    const { webhook_id } = c.req.valid('param');
    const { since } = c.req.valid('json');
    return c.json({ data: await recoverDeliveries(deps, c.var.caller, webhook_id, since) }, 202);
  });

  return api;
}

export const handler = onHttp(webhooksApi);
