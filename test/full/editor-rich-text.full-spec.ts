import { findings } from '../support/axe.js';
import { describeInEditor } from '../support/editor-browser.js';

const CLASSIC =
  'First line\nsecond line\n\nA <strong>bold</strong> word & a <a href="https://example.org/">link</a>.';

const block = (name: string, html: string) =>
  `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name.split(' ')[0]} -->`;
const BLOCKS = (last: string) =>
  [
    block('paragraph', '<p>One<br>two</p>'),
    block('heading', '<h2 class="wp-block-heading">Head</h2>'),
    block('heading {"level":3}', '<h3 class="wp-block-heading">Below</h3>'),
    block(
      'list {"ordered":true}',
      `<ol class="wp-block-list">${block(
        'list-item',
        `<li>A${block('list', `<ul class="wp-block-list">${block('list-item', '<li>B</li>')}</ul>`)}</li>`,
      )}\n\n${block('list-item', '<li>C</li>')}</ol>`,
    ),
    block('quote', `<blockquote class="wp-block-quote">${block('paragraph', '<p>Said</p>')}</blockquote>`),
    block('paragraph', `<p>${last}</p>`),
  ].join('\n\n');

describeInEditor('formatted text in the editor in a browser', (editor) => {
  const { edit, status } = editor;
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const text = () => editor.page.getByRole('textbox', { name: 'Description' });
  const tool = (name: string) =>
    editor.page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true });
  const stored = async (id: unknown) =>
    (await editor.fixture.ask(`SELECT post_content AS text FROM wp_posts WHERE ID = ${id}`))[0]?.['text'];
  const saved = () => editor.page.getByText('Not saved yet').waitFor({ state: 'detached' });
  /** Pastes HTML into the text, as a browser does. */
  const paste = (html: string) =>
    text().evaluate((element, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', pasted);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, html);
  const isUnsaved = () => editor.page.getByText('Not saved yet').count();

  it('writes headings, lists, emphasis and links as WordPress stores them, by keyboard alone', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Written by keyboard', description: '' });
    await edit(id);
    await text().focus();
    await page.keyboard.type('Doors at ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('seven');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Tickets');
    await page.keyboard.press('Shift+Home');
    await page.locator('.tool[aria-label="Link"][aria-disabled="false"]').waitFor();
    await page.keyboard.press('Shift+Tab');
    // The toolbar is one stop of the tab key.
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Bold');
    for (let step = 0; step < 8; step++) await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Link');
    await page.keyboard.press('Enter');
    await page.getByLabel('Address of the link').fill('example.org/tickets');
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByLabel('Address of the link').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await tool('Bulleted list').click();
    await page.keyboard.type('Soup');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Salt & bread');
    await page.keyboard.press('Control+s');
    await saved();
    expect(await stored(id)).toBe(
      'Doors at <strong>seven</strong>\n\n<a href="https://example.org/tickets">Tickets</a>\n\n' +
        '<ul>\n<li>Soup</li>\n<li>Salt &amp; bread</li>\n</ul>',
    );
    const { body } = await fixture.send('anonymous', 'GET', `/events/${id}`);
    expect(body['description']).toContain('<p>Doors at <strong>seven</strong></p>');
  });

  it('keeps emphasis, links, headings and lists of text pasted from Google Docs and Word, and nothing else', async () => {
    const { page, fixture } = editor;
    const docs =
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr">' +
      '<span style="font-size:16pt;font-weight:700;">Menu</span></h2><p dir="ltr" style="line-height:1.4">' +
      '<span style="font-weight:400;color:#f00">Plain, </span><span style="font-weight:700;font-style:italic">both, </span>' +
      '<span style="text-decoration:underline">below, </span><a href="https://example.org/"><span ' +
      'style="text-decoration:underline;color:#15c">link</span></a></p><ul><li dir="ltr"><p><span>Soup</span></p></li></ul></b>';
    const item = (level: number, marker: string, words: string) =>
      `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>` +
      `${marker}<span>&nbsp; </span></span><![endif]>${words}<o:p></o:p></p>`;
    const word =
      '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head><body>' +
      "<!--StartFragment--><p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Bold</b> word<o:p></o:p></p>" +
      `${item(1, '1.', 'One')}${item(2, '·', 'Inner')}${item(1, '2.', 'Two')}<!--EndFragment--></body></html>`;
    for (const [html, expected] of [
      [
        docs,
        '<h2>Menu</h2>\n\nPlain, <strong><em>both, </em></strong><u>below, </u>' +
          '<a href="https://example.org/">link</a>\n\n<ul>\n<li>Soup</li>\n</ul>',
      ],
      [
        word,
        '<strong>Bold</strong> word\n\n<ol>\n<li>One<ul>\n<li>Inner</li>\n</ul></li>\n<li>Two</li>\n</ol>',
      ],
    ] as const) {
      const { id } = await fixture.create({ title: 'Pasted', description: '' });
      await edit(id);
      await text().focus();
      await paste(html);
      await page.keyboard.press('Control+s');
      await saved();
      expect(await stored(id)).toBe(expected);
    }
  });

  it.each([
    [
      'a title, one level lower',
      '<h1 class="x">Programme</h1><p>All day</p><h2>Morning</h2><h5>Coffee</h5>',
      '<h2>Programme</h2>\n\nAll day\n\n<h3>Morning</h3>\n\n<h4>Coffee</h4>',
    ],
    [
      'no title, at their levels',
      '<b style="font-weight:normal"><h2>Morning</h2><p>Doors</p><h4>Coffee</h4></b>',
      '<h2>Morning</h2>\n\nDoors\n\n<h4>Coffee</h4>',
    ],
  ])('keeps the headings of pasted text with %s', async (_, html, expected) => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Headings', description: '' });
    await edit(id);
    await text().focus();
    await paste(html);
    await page.keyboard.press('Control+s');
    await saved();
    expect(await stored(id)).toBe(expected);
  });

  it('leaves a text as it is when another field is saved, and what was typed and taken back is no change', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Classic text', description: CLASSIC });
    expect(await stored(id)).toBe(CLASSIC);
    await edit(id);
    await text().getByText('second line').waitFor();
    await page.getByLabel('Cost').fill('7');
    await button('Save changes').click();
    await saved();
    expect(await stored(id)).toBe(CLASSIC);
    await text().focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('x');
    await page.getByText('Not saved yet').waitFor();
    await page.keyboard.press('Backspace');
    expect(await isUnsaved()).toBe(0);
    await page.keyboard.type('The ');
    await page.keyboard.press('Control+s');
    await saved();
    expect(await stored(id)).toBe(`The ${CLASSIC.replace(' & ', ' &amp; ')}`);
  });

  it.each([
    ['other blocks', '<!-- wp:paragraph {"align":"center"} -->\n<p>One</p>\n<!-- /wp:paragraph -->'],
    ['tables', '<table><tbody><tr><td>Cell</td></tr></tbody></table>'],
    ['classes', '<p class="lead">One</p>'],
    ['handlers', '<p onclick="x()">One</p>'],
    ['images', 'See <img src="https://example.org/a.png" alt="A" />'],
  ])('shows texts with %s as HTML and stores them as they are', async (_, description) => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'With HTML', description });
    const before = await stored(id);
    await edit(id);
    await page.getByText('are kept as HTML only').waitFor();
    expect(await text().inputValue()).toBe(before);
    await button('Edit as text').click();
    await page.getByText('are kept as HTML only').waitFor();
    await text().fill(`${before}\nMore`);
    await button('Save changes').click();
    await status('was saved');
    expect(await stored(id)).toBe(`${before}\nMore`);
  });

  it('keeps blocks of paragraphs, headings, lists and quotes as blocks', async () => {
    const { page, fixture } = editor;
    const description = BLOCKS('Last');
    const { id } = await fixture.create({ title: 'With blocks', description });
    expect(await stored(id)).toBe(description);
    await edit(id);
    await text().getByText('Said').waitFor();
    await text().focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' words');
    await page.keyboard.press('Control+s');
    await saved();
    expect(await stored(id)).toBe(BLOCKS('Last words'));
  });

  it('keeps tags of paragraphs, headings, nested lists and quotes, and is switched to HTML and back', async () => {
    const { page, fixture } = editor;
    const description =
      '<p>One<br>two</p>\n<h2>Head</h2>\n<ul><li>A<ul><li>B</li></ul></li></ul>\n<blockquote><p>Said</p></blockquote>\n[gallery ids="1,2"]';
    const { id } = await fixture.create({ title: 'With tags', description });
    await edit(id);
    await text().getByText('Said').waitFor();
    await button('Edit as HTML').click();
    expect(await text().inputValue()).toBe(await stored(id));
    await text().fill(`${description}\n<p>Last</p>`);
    await button('Edit as text').click();
    await text().getByText('Last').waitFor();
    await text().focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' words');
    await page.keyboard.press('Control+s');
    await saved();
    const after = String(await stored(id));
    for (const part of [
      '<h2>Head</h2>',
      '<li>B</li>',
      '<blockquote><p>Said</p></blockquote>',
      '[gallery ids="1,2"]',
      '<p>Last words</p>',
    ])
      expect(after).toContain(part);
  });

  it('shows what another user has saved, and a draft from before a reload', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'By two users', description: 'Mine' });
    await edit(id);
    await text().focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' and more');
    fixture.app.clock.pass(1000);
    await fixture.update(id, { description: 'Theirs' });
    await button('Save changes').click();
    await button('Show theirs and drop mine').click();
    await text().getByText('Theirs').waitFor();
    await text().focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' again');
    await page.getByText('Not saved yet').waitFor();
    while ((await page.evaluate('localStorage.length')) !== 1) await page.waitForTimeout(50);
    await page.reload();
    await button('Restore it').click();
    await text().getByText('Theirs again').waitFor();
    expect(await stored(id)).toBe('Theirs');
    await text().click();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
