/** The media types of the files that each player takes, by file name extension, in its order of preference. */
export const MEDIA_TYPES: Readonly<Record<'audio' | 'video', ReadonlyMap<string, string>>> = {
  audio: new Map([
    ['mp3', 'audio/mpeg'],
    ['ogg', 'audio/ogg'],
    ['flac', 'audio/flac'],
    ['m4a', 'audio/mpeg'],
    ['wav', 'audio/wav'],
  ]),
  video: new Map([
    ['mp4', 'video/mp4'],
    ['m4v', 'video/mp4'],
    ['webm', 'video/webm'],
    ['ogv', 'video/ogg'],
    ['flv', 'video/x-flv'],
  ]),
};
