// Replaces the cache of discovered endpoints in bundles. The SDK creates one for every table
// client, and no DynamoDB command uses it.
export class EndpointCache {}
