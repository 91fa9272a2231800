// @vitest-environment happy-dom
import { ApiError, type ErrorBody, rejectionList } from '@cordon/contract';
import { onlineManager } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Failure, useWaitingNotices } from '../ui/notices';
import {
  describeFailure,
  dismissFailure,
  failureNoticeMs,
  failureTexts,
  fieldTexts,
  networkAnswered,
  notifyFailure,
} from './failure';
import { needCatalogs, setLocale } from './intl-store';
import { saveFailureTexts } from './save-failure';

beforeAll(async () => {
  await setLocale('en');
  await needCatalogs('ui', 'errors', 'fieldErrors');
});

function refusal(status: number, body: Record<string, unknown>): ApiError {
  return new ApiError(status, body.code as never, body as unknown as ErrorBody, rejectionList(body));
}

test('without a response: please check your network', () => {
  expect(describeFailure(new ApiError(0, undefined, undefined, ['Please check your network']))).toEqual({
    reasons: ['Please check your network'],
    isOffline: true,
  });
});

test('a save without a network says what became of what was entered, another failure only itself', () => {
  const offline = new ApiError(0, undefined, undefined, ['Please check your network']);
  expect(saveFailureTexts(offline)).toEqual(['Please check your network. Your input is kept: save it again.']);
  const refused = refusal(422, { code: 'VALIDATION_FAILED', message: '' });
  expect(saveFailureTexts(refused)).toEqual(failureTexts(refused));
});

test('without an answer in time the network is named only while there is none', () => {
  const silent = new ApiError(0, undefined, undefined, ['Please check your network'], {
    cause: new DOMException('signal timed out', 'TimeoutError'),
  });
  expect(failureTexts(silent)).toEqual(['The service is not available right now. Try again shortly.']);
  onlineManager.setOnline(false);
  expect(failureTexts(silent)).toEqual(['Please check your network']);
  onlineManager.setOnline(true);
});

test.each([502, 503, 504])('a %i of what stands before the service says that it is not available', (status) => {
  expect(failureTexts(new ApiError(status, undefined, undefined, rejectionList(undefined)))).toEqual([
    'The service is not available right now. Try again shortly.',
  ]);
});

test('a body that says nothing: request error, and of an error of the service that it is ours, with its status, request and the self-test', () => {
  expect(failureTexts(new ApiError(418, undefined, undefined, rejectionList(undefined)))).toEqual(['Request error']);
  const cause = new Response('<html>', { status: 500, headers: { 'x-request-id': 'r-1' } });
  expect(describeFailure(new ApiError(500, undefined, undefined, rejectionList(undefined), { cause }))).toEqual({
    reasons: ['Something went wrong on our side. Try again in a moment (status\u00a0500).'],
    isOffline: false,
    requestId: 'r-1',
    help: { href: '#/pages/test', label: 'Self-test' },
  });
});

test('each key.value pair is a line; success and the reserved keys are left out', () => {
  const error = refusal(422, {
    success: false,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    request_id: 'r1',
    domain_name: 'DOMAIN_NAME_TAKEN',
    'upstreams.0.port': 'PORT_FORBIDDEN',
  });
  expect(error.list).toEqual([
    'code.VALIDATION_FAILED',
    'domain_name.DOMAIN_NAME_TAKEN',
    'upstreams.0.port.PORT_FORBIDDEN',
  ]);
  expect(failureTexts(error)).toEqual([
    'Another account uses this name. If it is yours, prove it with a DNS record',
    'Leave the port empty: this protocol follows the visitor',
  ]);
  expect(fieldTexts(error)['upstreams.0.port']).toBe('Leave the port empty: this protocol follows the visitor');
  expect(describeFailure(error).requestId).toBe('r1');
});

test('bounds are told when the API gives them, and not missed when it does not', () => {
  const params = { name: { maximum: 63 } };
  expect(fieldTexts(refusal(422, { success: false, name: 'TOO_LONG', params })).name).toBe(
    'Enter at most 63 characters',
  );
  expect(fieldTexts(refusal(422, { success: false, name: 'TOO_LONG' })).name).toBe('This is too long');
});

test('a rate says when to try again, in both languages', async () => {
  const refused = (seconds: number) =>
    failureTexts(
      refusal(429, { success: false, code: 'TOO_MANY_REQUESTS', params: { TOO_MANY_REQUESTS: { seconds } } }),
    );
  expect(refused(1)).toEqual(['Too many attempts. Try again in 1 second.']);
  expect(refused(91)).toEqual(['Too many attempts. Try again in 2 minutes.']);
  expect(failureTexts(refusal(429, { success: false, code: 'TOO_MANY_REQUESTS' }))).toEqual([
    'Too many attempts. Wait a moment, then try again.',
  ]);
  await setLocale('zh');
  await needCatalogs('errors', 'fieldErrors');
  expect(refused(765)).toEqual(['尝试次数过多，请在 13 分钟后再试。']);
  await setLocale('en');
});

test('which of several names is meant is told when the API names it, in both languages', async () => {
  const params = { 'shadow_domains.1': { name: 'shop.example' } };
  const error = refusal(422, { success: false, 'shadow_domains.1': 'DOMAIN_NAME_YOURS', params });
  expect(failureTexts(error)).toEqual(['Alias shop.example: You have already added this name']);
  await setLocale('zh');
  await needCatalogs('errors', 'fieldErrors');
  expect(failureTexts(error)).toEqual(['别名域名 shop.example：您已添加过此域名']);
  await setLocale('en');
  expect(failureTexts(refusal(422, { success: false, 'shadow_domains.1': 'DOMAIN_NAME_YOURS' }))).toEqual([
    'You have already added this name',
  ]);
});

test('the message of a body without pairs is shown', () => {
  expect(failureTexts(refusal(500, { message: 'Broken pipe' }))).toEqual(['Broken pipe']);
});

test('the specification names the words of its three codes, and their times', () => {
  const noticeOf = (code: string) => [
    failureTexts(refusal(400, { success: false, code }))[0],
    failureNoticeMs(refusal(400, { success: false, code })),
  ];
  expect(noticeOf('SUBSCRIPTION_NOT_FOUND')).toEqual([
    'An error occurred: There was a problem locating your subscription info.',
    15_000,
  ]);
  expect(noticeOf('GATEWAY_CONNECTION_ERROR')).toEqual(['Connection to the gateway could not be established.', 15_000]);
  expect(noticeOf('QUOTA_REACHED')).toEqual([
    'You have reached the available domains for your subscription. Please upgrade your subscription to add more domains.',
    5000,
  ]);
  expect(failureNoticeMs(refusal(404, { success: false, code: 'NOT_FOUND' }))).toBe(6000);
  expect(failureNoticeMs(new Error('x'))).toBe(6000);
});

test('failures are told in Chinese too', async () => {
  await setLocale('zh');
  expect(failureTexts(refusal(403, { success: false, code: 'QUOTA_REACHED' }))[0]).toContain('升级套餐');
  await setLocale('en');
});

describe('the notice that there is no network', () => {
  const noNetwork = new ApiError(0, undefined, undefined, ['Please check your network']);
  const waiting = () => renderHook(() => useWaitingNotices()).result.current.map(({ title }) => title);
  test('goes when something answers', () => {
    notifyFailure(noNetwork);
    expect(waiting()).toEqual(['Please check your network']);
    networkAnswered();
    expect(waiting()).toEqual([]);
  });
  test('of a write stays whatever is read meanwhile, until a write succeeds', () => {
    notifyFailure(noNetwork, () => {});
    networkAnswered();
    onlineManager.setOnline(false);
    onlineManager.setOnline(true);
    expect(waiting()).toEqual(['Please check your network']);
    networkAnswered(true);
    expect(waiting()).toEqual([]);
  });
  test('goes when the network is back, and takes no other failure along', () => {
    onlineManager.setOnline(false);
    notifyFailure(noNetwork);
    notifyFailure(refusal(409, { success: false, code: 'CONFLICT', message: 'Conflict', request_id: 'r1' }));
    expect(waiting()).toHaveLength(2);
    onlineManager.setOnline(true);
    expect(waiting()).toEqual(['This conflicts with something that already exists.']);
  });
});

test('where nothing but texts is shown, the request to name to support is one of them', () => {
  const body = { success: false, message: 'x', request_id: 'r-7' };
  const last = (error: unknown) => saveFailureTexts(error).at(-1);
  expect(last(refusal(500, { ...body, code: 'INTERNAL' }))).toBe('Request ID r-7');
  expect(last(refusal(409, { ...body, code: 'CONFLICT' }))).not.toContain('r-7');
});

test('the notice of a failure goes once what failed is done', () => {
  const titles = () => renderHook(() => useWaitingNotices()).result.current.map(({ title }) => title);
  const before = titles();
  const [gone, stays] = [refusal(404, { code: 'NOT_FOUND' }), refusal(403, { code: 'QUOTA_REACHED' })];
  notifyFailure(gone);
  notifyFailure(stays);
  expect(titles()).toHaveLength(before.length + 2);
  dismissFailure(gone);
  dismissFailure(undefined);
  expect(titles()).toEqual([...before, ...failureTexts(stays)]);
});

test('names the request to support of an error of the service itself alone', () => {
  const told: Failure[] = [];
  const here = (failure: Failure) => told.push(failure) > 0;
  const body = { success: false, message: 'x', request_id: 'r-7' };
  notifyFailure(refusal(500, { ...body, code: 'INTERNAL' }), undefined, undefined, here);
  notifyFailure(refusal(409, { ...body, code: 'CONFLICT' }), undefined, undefined, here);
  expect(told.map(({ requestId }) => requestId)).toEqual(['r-7', undefined]);
});

test('what has no words is said as what it is, never by its key', () => {
  const unknown = { success: false, error: 'x', name: 'NEW_CODE' };
  expect(failureTexts(refusal(500, unknown))).toEqual([
    'Something went wrong on our side. Try again in a moment (status\u00a0500).',
  ]);
  expect(failureTexts(refusal(422, { ...unknown, name: 'TOO_LONG' }))).toEqual(['Request error', 'This is too long']);
  expect(fieldTexts(refusal(422, unknown)).name).toBe('Request error');
});
