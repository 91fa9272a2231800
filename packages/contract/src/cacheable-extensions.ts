/** Names of files that a cache keeps by default: the extensions that Cloudflare caches (product design, "cache_postfixes"). */
export const CACHEABLE_EXTENSIONS: readonly string[] = [
  ...['7z', 'apk', 'avi', 'avif', 'bin', 'bmp', 'bz2', 'class', 'css', 'csv', 'dmg', 'doc', 'docx', 'ejs'],
  ...['eot', 'eps', 'exe', 'flac', 'gif', 'gz', 'ico', 'iso', 'jar', 'jpeg', 'jpg', 'js', 'mid', 'midi'],
  ...['mkv', 'mp3', 'mp4', 'ogg', 'otf', 'pdf', 'pict', 'pls', 'png', 'ppt', 'pptx', 'ps', 'rar', 'svg'],
  ...['svgz', 'swf', 'tar', 'tif', 'tiff', 'ttf', 'webm', 'webp', 'woff', 'woff2', 'xls', 'xlsx', 'zip'],
];
