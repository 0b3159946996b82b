/* Sharing the picture of a match. The browser draws it as PNG from the SVG that the server makes, for chats
   show no SVG; it is made ready beforehand, as a share must follow its tap at once. On plain http there is no
   share sheet: the picture is saved. */
(() => {
  "use strict";
  const ways = document.querySelector("[data-picture]");
  if (!ways) return;
  const part = (name) => document.querySelector(`[data-${name}]`);
  const share = part("share"), save = part("save"), plain = part("plain"), failed = part("failed");
  const section = document.getElementById("share");
  let file = null;

  function loaded(url) {
    return new Promise((done, missed) => {
      const image = new Image();
      image.onload = () => done(image);
      image.onerror = missed;
      image.src = url;
    });
  }

  async function drawn() {
    const image = await loaded(`${ways.dataset.picture}?${Date.now()}`);
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    return new File([blob], `${ways.dataset.name}.png`, { type: "image/png" });
  }

  async function prepare() {
    file = null; // what was drawn before is not the story any more
    share.hidden = save.hidden = true;
    plain.hidden = false;
    section.hidden = !document.querySelector("#news .chart");
    if (section.hidden) return;
    try {
      file = await drawn();
    } catch {
      failed.hidden = false;
      return;
    }
    const canShare = Boolean(navigator.canShare?.({ files: [file] }));
    share.hidden = !canShare;
    save.hidden = false;
    save.classList.toggle("outline", canShare);
    plain.hidden = true;
    failed.hidden = true;
  }

  function saveFile() {
    const url = URL.createObjectURL(file);
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = file.name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }

  share.addEventListener("click", async () => {
    try {
      await navigator.share({ files: [file] });
    } catch (error) {
      if (error.name !== "AbortError") saveFile(); // nobody closed it: this browser cannot
    }
  });
  save.addEventListener("click", saveFile);

  document.addEventListener("news:drawn", prepare);
  prepare();
})();
