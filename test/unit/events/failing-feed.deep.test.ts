import { failForAnHour } from '../../harness/fail-feed.ts';

// 180,000 commits, which take most of a minute on a busy machine.
failForAnHour(50, 120_000);
