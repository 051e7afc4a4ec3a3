// Stands for the cache of discovered endpoints in bundles: the SDK makes one for every table client, and no command of the table asks it.
export class EndpointCache {}
