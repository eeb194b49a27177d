/** An image can not be used; the message completes "image …" and is part of the response. */
export class ImageRejected extends Error {}
