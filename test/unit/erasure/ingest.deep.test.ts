import { deleteWhileIngested } from './ingest.ts';

deleteWhileIngested(1);
