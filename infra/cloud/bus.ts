// The event bus. Its events only name pages of the feed, which stores the events themselves for 90
// days, so there is nothing to archive.
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';

export const createEventBus = (scope: Construct): EventBus =>
  new EventBus(scope, 'Bus', { description: 'Events of Daybook' });
