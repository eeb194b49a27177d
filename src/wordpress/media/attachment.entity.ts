import { ChildEntity } from 'typeorm';
import { Post } from '../posts/post.entity.js';

/** An uploaded file. */
@ChildEntity('attachment')
export class AttachmentPost extends Post {}
