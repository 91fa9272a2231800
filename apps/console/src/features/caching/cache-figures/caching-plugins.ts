import { cacheRemedies } from '@cordon/plugins/cache-remedies';
import { definitions } from '@cordon/plugins/definitions';

/** The plugins that keep answers, in the order of the pipeline. */
export const cachingPlugins = definitions.filter(({ name }) => cacheRemedies[name] !== undefined);
