import type { Deps } from '../../../shared/domain/deps.ts';
import * as deliveries from '../../../shared/domain/webhooks/deliveries.ts';
import * as webhooks from '../../../shared/domain/webhooks/endpoints.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import * as routes from './routes.ts';

export function webhooksApi(deps: Deps): Api {
  const api = newApi(deps);

  api.serve(routes.registerWebhook, async ({ caller, body }) =>
    reply(201, { data: await webhooks.registerWebhook(deps, caller, body) }),
  );

  api.serve(routes.listWebhooks, async ({ caller }) => reply(200, { data: await webhooks.listWebhooks(deps, caller) }));

  api.serve(routes.getWebhook, async ({ caller, params }) =>
    reply(200, { data: await webhooks.getWebhook(deps, caller, params.webhook_id) }),
  );

  api.serve(routes.updateWebhook, async ({ caller, params, body }) =>
    reply(200, { data: await webhooks.updateWebhook(deps, caller, params.webhook_id, body) }),
  );

  api.serve(routes.deleteWebhook, async ({ caller, params }) => {
    await webhooks.deleteWebhook(deps, caller, params.webhook_id);
    return reply(204);
  });

  api.serve(routes.rotateWebhookSecret, async ({ caller, params }) =>
    reply(200, { data: await webhooks.rotateSecret(deps, caller, params.webhook_id) }),
  );

  api.serve(routes.testWebhook, async ({ caller, params }) =>
    reply(200, { data: await deliveries.sendTest(deps, caller, params.webhook_id) }),
  );

  api.serve(routes.listDeliveries, async ({ caller, params: { webhook_id }, query: { limit, cursor } }) => {
    const scope = { caller, route: routes.listDeliveries.operationId, query: { limit, webhook_id } };
    const beforeId = openCursor(deps.keyring, scope, cursor);
    const page = await deliveries.listDeliveries(deps, caller, webhook_id, { limit, beforeId });
    const next_cursor = page.nextBeforeId === undefined ? null : sealCursor(deps.keyring, scope, page.nextBeforeId);
    return reply(200, { data: page.deliveries, next_cursor });
  });

  api.serve(routes.redeliver, async ({ caller, params: { webhook_id, delivery_id } }) =>
    reply(202, { data: await deliveries.redeliver(deps, caller, webhook_id, delivery_id) }),
  );

  api.serve(routes.recoverWebhook, async ({ caller, params, body }) =>
    reply(202, { data: await deliveries.recover(deps, caller, params.webhook_id, body.since) }),
  );

  return api;
}
