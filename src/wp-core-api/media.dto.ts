import { IsSearchText } from '../http/params/checks.js';
import { MAX_LENGTH } from '../http/params/limits.js';
import { RestArg } from '../http/params/rest-arg.js';
import { CorePostListQuery, EnumArg, IdsArg } from './list.dto.js';

const MEDIA_TYPES = ['image', 'video', 'text', 'application', 'audio'];

/** Parameters of `/media`. */
export class ListMediaQuery extends CorePostListQuery {
  @RestArg({ type: 'string', description: 'Text in title or file name.' })
  @IsSearchText()
  override search?: string;
  @EnumArg('Only files of this kind.', MEDIA_TYPES) media_type?: string;
  @RestArg({ type: 'string', description: 'Only files of this MIME type.' })
  mime_type?: string;
  @IdsArg('Only files of these records; 0 for those of none.') parent?: number[];
  @IdsArg('Only files of other records.') parent_exclude?: number[];
}

/** Fields of a file; those not sent stay. */
export class MediaFields {
  @RestArg({
    type: 'string',
    maxLength: MAX_LENGTH.title,
    description: 'Title; by default the name of the file.',
  })
  title?: string;
  @RestArg({ type: 'string', maxLength: MAX_LENGTH.title, description: 'Caption.' })
  caption?: string;
  @RestArg({ type: 'string', maxLength: MAX_LENGTH.title, description: 'Description.' })
  description?: string;
  @RestArg({
    type: 'string',
    maxLength: MAX_LENGTH.title,
    description: 'What the image shows, for those who do not see it.',
  })
  alt_text?: string;
  @RestArg({ type: 'string', description: 'Slug; made from the title when absent.' })
  slug?: string;
  @RestArg({ type: 'integer', description: 'Id of the record it belongs to; 0 for none.' })
  post?: number;
}

/** Parameters of `DELETE /media/<id>`. */
export class DeleteMediaQuery {
  @RestArg({ type: 'boolean', default: false, description: 'Must be true, as files have no trash.' })
  force: boolean;
}
