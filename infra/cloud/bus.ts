// The event bus, and an archive from which events can be replayed.
import { Duration } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import type { DeploymentOptions } from './options.ts';

export function eventBus(scope: Construct, { emulator }: DeploymentOptions): EventBus {
  const bus = new EventBus(scope, 'Bus', { description: 'Events of Daybook' });
  // The emulator knows no archives and refuses the whole deployment over one.
  if (!emulator) {
    bus.archive('BusArchive', { eventPattern: { source: ['daybook'] }, retention: Duration.days(30) });
  }
  return bus;
}
