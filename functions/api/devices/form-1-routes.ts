// Routes for devices in Form 1: the pending device in an envelope.
import { createRoute } from '@hono/zod-openapi';
import { PendingDeviceEnvelope } from '../../../shared/connections/form-1.ts';
import { defineForm1Endpoint } from '../../../shared/http/endpoint.ts';
import { json } from '../../../shared/http/responses.ts';
import * as usual from './routes.ts';

const { route } = usual.connectDevice;

export const connectDevice = defineForm1Endpoint(
  usual.connectDevice,
  createRoute({
    ...route,
    responses: { 200: json(PendingDeviceEnvelope, 'The pending device.') },
  }),
);
