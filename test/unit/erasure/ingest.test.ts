import { deleteWhileIngested } from './ingest.ts';

deleteWhileIngested(3);
