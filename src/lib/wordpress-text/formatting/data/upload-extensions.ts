/** File name extensions that are harmless inside a longer file name, as in `x.tar.gz`; others get a `_` there. */
export const UPLOAD_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'jpg jpeg jpe gif png bmp tif tiff webp avif ico heic heif ' +
    'asf asx wmv wma wmx wm avi divx flv mov qt mpeg mpg mpe mp4 m4v ogv webm mkv 3gp 3gpp 3g2 3gp2 ' +
    'mp3 m4a m4b aac ra ram wav ogg oga flac mid midi wax mka ' +
    'txt asc c cc h srt csv tsv ics rtx css vtt htm html dfxp rtf js pdf class ' +
    'tar zip gz gzip rar 7z psd xcf ' +
    'doc docx docm dotx dotm ppt pptx pptm pot potx potm pps ppsx ppsm ppam sldx sldm ' +
    'xla xls xlt xlw xlsx xlsm xlsb xltx xltm xlam mdb mpp wri ' +
    'onetoc onetoc2 onetmp onepkg oxps xps odt odp ods odg odc odb odf wp wpd key numbers pages'
  ).split(' '),
);
