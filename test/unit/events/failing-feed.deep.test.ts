import { failForAnHour } from '../../harness/fail-feed.ts';

failForAnHour(50);
