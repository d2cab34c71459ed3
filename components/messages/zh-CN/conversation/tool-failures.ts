import type { toolFailures as english } from "../../en/conversation/tool-failures";

export const toolFailures: typeof english = {
  gone: "此工具已不再提供。",
  not_found: "找不到这次调用所需的内容，可能已被删除。",
  not_allowed: "这不在允许的范围内。",
  blocked: "这次调用已被禁止。",
  changed_meanwhile: "相关内容在此期间有变动，因此没有执行。",
  too_large: "请求或返回的内容太大。",
  too_many: "模型一次发起的调用太多。",
  timeout: "工具没有及时响应。",
  exists: "要创建的内容已经存在。",
  busy: "那里还有另一次调用在进行。",
  unreadable_file: "无法读取此工具所需的文件。",
  no_permission: "gopi-web 没有此工具所需的权限。",
};
