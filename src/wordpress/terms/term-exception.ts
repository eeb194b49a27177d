import { RestException } from '../../common/errors/rest-exception.js';
import type { TermErrorCode } from './plan-term-insert.js';

const MESSAGES: Record<TermErrorCode | 'duplicate_term_slug', { message: string; code?: string }> = {
  empty_term_name: { message: 'name must not be empty.' },
  invalid_term_name: { message: 'name must hold some text besides tags.' },
  db_insert_error: { message: 'name may be at most 200 characters long.' },
  term_exists: { message: 'There is a term with this name already.' },
  missing_parent: { message: 'parent is not the id of an existing term.', code: 'rest_term_invalid' },
  duplicate_term_slug: { message: 'slug belongs to another term already.' },
};

/** The exception for a rejected term (W15); `termId` is the existing term. */
export function termException(code: keyof typeof MESSAGES, termId?: number): RestException {
  const { message, code: responseCode = code } = MESSAGES[code];
  const details =
    termId === undefined ? {} : { data: { term_id: termId }, extra: { additional_data: [termId, termId] } };
  return new RestException('invalid', responseCode, message, details);
}
