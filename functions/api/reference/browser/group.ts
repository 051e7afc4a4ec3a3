// The search on the page of a group.
import { startSearch } from './search-box.ts';

startSearch();
