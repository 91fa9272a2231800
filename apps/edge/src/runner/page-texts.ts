import type { BlockPage } from '@cordon/plugin-kit/edge';

/** Words of the pages that the edge itself answers with. */
export interface PageText {
  readonly title: string;
  readonly body: string;
  /** In place of the body where it is known when to try again: `#` is in how long. */
  readonly timedBody?: string;
}

export type PageKind =
  | 'blocked'
  | BlockPage
  | 'unknown_host'
  | 'not_pointed'
  | 'deactivated'
  | 'suspended'
  | 'misdirected'
  | 'loop'
  | 'no_upstream'
  | 'bad_gateway'
  | 'gateway_timeout'
  | 'websocket_limit'
  | 'origin_limit'
  | 'upload_limit'
  | 'body_too_slow'
  | 'bad_request'
  | 'too_large'
  | 'server_error';

export const pageTexts: Readonly<Record<'en' | 'zh', Readonly<Record<PageKind, PageText>>>> = {
  en: {
    blocked: {
      title: 'Access denied',
      body: 'The owner of this site does not allow this request. If you think this is a mistake, send them the request ID or the link to it.',
    },
    link_expired: {
      title: 'Link expired',
      body: 'This link was valid for a limited time. Go back to the page you found it on, reload it and open the link again.',
    },
    link_invalid: {
      title: 'Link not valid',
      body: 'This address opens only by a valid link. Go back to the page you came from, reload it and open the link there.',
    },
    rate_limited: {
      title: 'Too many requests',
      body: 'This site has received too many requests from your address. Try again later.',
      timedBody: 'This site has received too many requests from your address. Try again in #.',
    },
    banned: {
      title: 'Access denied',
      body: 'This site does not accept requests from your address at the moment, for example because it has sent too many. Try again later. If you think this is a mistake, send the owner of the site the request ID or the link to it.',
    },
    unknown_host: { title: 'No site here', body: 'No site with this name is served here. Check the address.' },
    not_pointed: {
      title: 'Not pointed here yet',
      body: 'This domain has been added, but its DNS does not point here yet. It will work once the DNS record is set.',
    },
    deactivated: {
      title: 'Site switched off',
      body: 'The owner of this site has switched it off. Come back later.',
    },
    suspended: {
      title: 'Site suspended',
      body: 'The provider has suspended this site. Its owner can ask the provider for the reason.',
    },
    misdirected: {
      title: 'Misdirected request',
      body: 'The connection was opened for a different site than the one requested.',
    },
    loop: { title: 'Request loop', body: 'This request has already passed here: the origin sends it back to us.' },
    no_upstream: { title: 'No origin', body: 'This site has no origin to answer this request.' },
    bad_gateway: {
      title: 'Origin unreachable',
      body: 'The origin of this site refused the connection or sent an invalid response.',
    },
    gateway_timeout: { title: 'Origin too slow', body: 'The origin of this site did not answer in time.' },
    websocket_limit: {
      title: 'Too many connections',
      body: 'This site has reached the connection limit of its plan. Try again in a moment.',
    },
    origin_limit: {
      title: 'Server busy',
      body: 'The server of this site has reached its limit of open requests. Try again in a moment.',
    },
    upload_limit: { title: 'Too many uploads', body: 'Too many uploads are running. Try again in a moment.' },
    body_too_slow: {
      title: 'Upload too slow',
      body: 'The upload was too slow, so the connection was closed. Check your network and try again.',
    },
    bad_request: { title: 'Bad request', body: 'This request cannot be understood.' },
    too_large: { title: 'Request too large', body: 'This request is larger than the server accepts.' },
    server_error: { title: 'Something went wrong', body: 'The request could not be processed. Try again in a moment.' },
  },
  zh: {
    blocked: {
      title: '访问被拒绝',
      body: '本站所有者不允许此请求。如果您认为这是误判，请将请求 ID 或其链接发送给站点所有者。',
    },
    link_expired: {
      title: '链接已过期',
      body: '此链接仅在限定时间内有效。请返回链接所在的页面，刷新后重新打开链接。',
    },
    link_invalid: {
      title: '链接无效',
      body: '此地址只能通过有效链接打开。请返回来源页面，刷新后再打开其中的链接。',
    },
    rate_limited: {
      title: '请求过于频繁',
      body: '本站收到来自您 IP 的请求过多，请稍后再试。',
      timedBody: '本站收到来自您 IP 的请求过多，请在 #后再试。',
    },
    banned: {
      title: '访问被拒绝',
      body: '本站暂不接受来自您 IP 的请求，例如因请求过于频繁。请稍后再试。如果您认为这是误判，请将请求 ID 或其链接发送给站点所有者。',
    },
    unknown_host: { title: '未找到网站', body: '此处未托管该域名的网站，请检查网址是否正确。' },
    not_pointed: { title: '域名尚未指向此处', body: '该域名已添加，但其 DNS 尚未指向此处。设置 DNS 记录后即可访问。' },
    deactivated: { title: '网站已停用', body: '网站所有者已停用此网站，请稍后再来。' },
    suspended: { title: '网站已被冻结', body: '服务商已冻结此网站。网站所有者可向服务商了解原因。' },
    misdirected: { title: '请求与连接不符', body: '此连接是为另一个网站建立的，与请求的网站不一致。' },
    loop: { title: '请求循环', body: '此请求已经过此处：源站又将它发回给我们。' },
    no_upstream: { title: '没有源站', body: '该网站没有可用的源站。' },
    bad_gateway: { title: '无法连接源站', body: '该网站的源站拒绝连接，或返回了无效的响应。' },
    gateway_timeout: { title: '源站响应过慢', body: '该网站的源站未能及时响应。' },
    websocket_limit: { title: '连接数过多', body: '该网站的实时连接数已达到套餐上限，请稍后再试。' },
    origin_limit: { title: '服务器繁忙', body: '该网站的并发请求数已达上限，请稍后再试。' },
    upload_limit: { title: '上传过多', body: '同时进行的上传过多，请稍后再试。' },
    body_too_slow: { title: '上传过慢', body: '上传速度过慢，连接已关闭。请检查网络后重试。' },
    bad_request: { title: '请求无效', body: '无法识别此请求。' },
    too_large: { title: '请求过大', body: '此请求超出服务器接受的大小。' },
    server_error: { title: '出现错误', body: '无法处理此请求，请稍后再试。' },
  },
};

export const pageLabels = {
  en: {
    requestId: 'Request ID',
    owner: 'For the site owner',
    time: 'Time',
    abuse: 'Report abuse',
    protectedBy: 'Protected by ',
  },
  zh: {
    requestId: '请求 ID',
    owner: '供站点所有者查看',
    time: '时间',
    abuse: '举报滥用',
    protectedBy: '安全防护服务商：',
  },
} as const;

/** Largest first. */
const UNITS = [
  { seconds: 86_400, en: 'day', zh: '天' },
  { seconds: 3600, en: 'hour', zh: '小时' },
  { seconds: 60, en: 'minute', zh: '分钟' },
] as const;
const SECOND = { seconds: 1, en: 'second', zh: '秒' } as const;

/** A time in one unit, never shorter than it is: `90 seconds`, `1 hour`, `3 days`. */
function sayTime(language: 'en' | 'zh', seconds: number): string {
  const unit = UNITS.find((one) => seconds >= 2 * one.seconds || seconds === one.seconds) ?? SECOND;
  const count = Math.ceil(seconds / unit.seconds);
  return `${count} ${unit[language]}${language === 'en' && count !== 1 ? 's' : ''}`;
}

/** In how long to try again, as the page says it; empty where it is not known, or the page does not say it. */
export const retryTime = (language: 'en' | 'zh', kind: PageKind, retrySeconds: number | undefined): string =>
  retrySeconds === undefined || pageTexts[language][kind].timedBody === undefined
    ? ''
    : sayTime(language, retrySeconds);

/** What a page says below its title. */
export function pageBody(language: 'en' | 'zh', kind: PageKind, retryIn = ''): string {
  const { body, timedBody } = pageTexts[language][kind];
  return timedBody === undefined || retryIn === '' ? body : timedBody.replace('#', retryIn);
}
