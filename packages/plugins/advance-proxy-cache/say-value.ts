export { sayCacheValue as sayValue } from '@cordon/plugin-kit/cache-words';
