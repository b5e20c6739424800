//! The rules for Chinese: data only.

mod about_team;
mod about_user;
mod cues;
mod words;

use super::pattern::Pattern;

pub(super) use cues::CUES;
pub(super) use words::WORDS;

/// Tables of patterns, the first match wins.
pub(super) const PATTERNS: [&[Pattern]; 2] = [about_user::PATTERNS, about_team::PATTERNS];

/// Parts that several patterns share.
pub(super) const FRAGMENTS: &[(&str, &str)] = &[
    (
        "TEAM",
        "(?:我们(?:的|这边|这里|目前|现在|这个)*(?:公司|团队|项目组|项目|小组|组|部门|产品|系统|平台|网站|应用|服务|店|实验室|工作室)?(?:里|内部|这边|的)*|(?:这个|本|该|当前|这)(?:项目|仓库|系统|产品|服务|库|应用|平台)(?:的|里)*|公司(?:里|内部|的)*|团队(?:里|内部|的)*|项目(?:里|组|的)*)",
    ),
    (
        "RELATION",
        "(?:老婆|妻子|太太|媳妇|爱人|老公|丈夫|女朋友|女友|男朋友|男友|大?小?儿子|大?小?女儿|闺女|孩子|小孩|宝宝|妈妈|妈|母亲|爸爸|爸|父亲|爸妈|父母|姐姐|妹妹|哥哥|弟弟|姐|妹|哥|弟|爷爷|奶奶|外公|外婆|姥姥|姥爷|公公|婆婆|岳父|岳母|室友|家人|猫咪|小猫|猫|狗狗|小狗|狗|宠物|仓鼠|鹦鹉|兔子|乌龟|金毛|柯基)",
    ),
    ("EATING", "(?:吃|喝|看|听|玩|用|做|读|打|去|穿|写|逛)?"),
    (
        "THING",
        "(?:服务器|数据库|端口|域名|网址|接口|地址|仓库|分支|环境|集群|网关|服务|缓存|队列|日志|配置|密钥|证书|镜像|文档|模板|文件夹|目录|脚本|截止日期|截止时间|发布日|发布时间|上线时间|预算|办公室|会议室|会议|例会|站会|周会|周报|月报|无线密码|负责人|项目代号|代号|版本|框架|主分支|例行维护|值班|超时时间|上限|邮箱|群号|工单|单号|合同|发票)",
    ),
];
