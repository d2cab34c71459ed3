/** Messages of the page of a browser that is not signed in. */
import type { signIn as english } from "../../en/late/sign-in";

export const signIn: typeof english = {
  title: "登录 gopi-web",
  atDoor: (host) => `此浏览器已前往 ${host} 登录，但返回时仍未登录。请重试；如果仍然如此，请联系管理此服务器的人。`,
  note: "此浏览器尚未登录。请在运行 gopi-web 的终端里按回车键，或在另一个终端里再次运行启动命令（npm start 或 gopi-web），然后打开显示的登录链接。",
  paste: "或者粘贴链接或其中的令牌",
  submit: "登录",
  refused: "此链接已被使用或已过期。请按上面的方法重新获取，无需重启 gopi-web。",
  wrongOrigin: (address) =>
    `gopi-web 不接受地址为 ${address} 的页面。如果是代理在此地址发布它，请用 --public-url ${address} 启动 gopi-web`,
  throttled: "尝试次数过多。请打开新的登录链接，或等待一小时。",
  unreachable: "gopi-web 没有响应。它还在运行吗？",
  noToken: "这段文字中没有令牌。",
};
