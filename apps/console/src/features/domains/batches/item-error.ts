import { ApiError, type BatchItemError, type ErrorBody, type ErrorCode, rejectionList } from '@cordon/contract';
import { failureTexts } from '../../../app/failure';

/** Why an item failed, in words: those that the same call for that domain alone would have got. */
export function itemErrorTexts(error: BatchItemError): string[] {
  const { code, message, fields, params } = error;
  const body: ErrorBody = {
    success: false,
    ...(code === null ? fields : { code: code as ErrorCode }),
    message,
    params,
    request_id: '',
  };
  return failureTexts(new ApiError(422, body.code, body, rejectionList(body)));
}
