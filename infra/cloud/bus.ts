// The event bus. It carries names of pages, whose events stand in the feed for 90 days: there is nothing to archive.
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';

export const createEventBus = (scope: Construct): EventBus =>
  new EventBus(scope, 'Bus', { description: 'Events of Daybook' });
